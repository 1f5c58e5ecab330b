// SPDX-License-Identifier: GPL-3.0-or-later
// Complex transforms of one length by FFTW, planned once in a process.
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace engine
{

// A row of complex numbers, aligned as FFTW wants it. The constructor throws std::bad_alloc.
template <typename Real>
class TransformRow
{
  public:
    explicit TransformRow(int length);
    std::complex<Real>* data() { return m_memory.get(); }
    Real* numbers() { return reinterpret_cast<Real*>(m_memory.get()); } // [2·length], real and imaginary in turn

  private:
    struct Release {
        void operator()(std::complex<Real>* memory) const;
    };
    std::unique_ptr<std::complex<Real>, Release> m_memory;
};

// Forward and backward transforms, in place and unscaled, from any thread at once.
//
// A plan is made when its length is first asked for and stays until the process ends, so that the same rows
// give the same bits as often as they come: from the wisdom of earlier processes where there is some; else
// measured, for at most a second each way, where that many `uses` pay for it, and added to the wisdom; else
// estimated at once. Measured plans are 0 to 40 % faster than estimated ones (lengths 256 to 8192, floats and
// doubles, AMD EPYC 9004, November 2026). Another process may round differently when wisdom came in between.
template <typename Real>
class Transform
{
  public:
    static const Transform& of(int length, std::size_t uses); // throws std::bad_alloc
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;

    void forward(TransformRow<Real>& row) const;  // throws std::bad_alloc
    void backward(TransformRow<Real>& row) const; // throws std::bad_alloc

  private:
    struct Destroy {
        void operator()(void* plan) const;
    };
    using Plan = std::unique_ptr<void, Destroy>;

    Transform(int length, std::size_t uses);
    void plan(TransformRow<Real>& row, int length, unsigned how);
    void measureRoom(TransformRow<Real>& row, int length);
    static void execute(const Plan& plan, TransformRow<Real>& row);
    Plan m_forward, m_backward;
    std::size_t m_room = 0; // bytes that FFTW takes while it executes one of them
};

// The plans of this process as text, and those of another one taken instead of the wisdom here: on the same processor
// the same transforms are made of them, to the same bits. Nothing is measured afterwards, which others wouldn't do
// alike.
template <typename Real>
std::string plansOf();
template <typename Real>
void takePlans(const std::string& plans);

// Removes the limit of a second from later measurements in this process. A measurement that is cut off leaves no
// wisdom; tests call this so that a busy machine always leaves some.
template <typename Real>
void measureWithoutLimit();

// Where the wisdom is kept: sinoscope in XDG_CACHE_HOME or ~/.cache; empty when there is neither. What can't be
// read there, or written, is done without.
std::filesystem::path wisdomFolder();

} // namespace engine
