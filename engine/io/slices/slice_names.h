// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the TIFFs that are written to a folder.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace engine
{

// PREFIX_00012.tiff for slice 12, or PREFIX_plane_x=40.tiff for a plane, which is not numbered.
class SliceNames
{
  public:
    SliceNames(const char* prefix) : SliceNames(std::string(prefix)) {}
    SliceNames(std::string prefix) : m_prefix(std::move(prefix)) {}
    // plane: where it lies, such as "x=40".
    static SliceNames ofPlane(const std::string& prefix, const std::string& plane);

    std::string of(int slice) const; // of a plane: the same for each number
    // Returns the slice's number in a file's name, 0 for the plane; nothing for other names.
    std::optional<int> numberIn(const std::string& file) const;
    std::string common() const;                       // the part that all files have in common
    bool isOtherPlane(const std::string& file) const; // of the same scan, if this is a plane

  private:
    std::string m_prefix, m_plane;
};

} // namespace engine
