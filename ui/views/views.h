// THE table of views of a comparison: which of its images stand beside each other. The menu, its keys (1, 2, …), the
// buttons, saved sessions and the panel's columns loop over it.
#pragma once

#include <QString>

#include <span>
#include <vector>

namespace ui
{

enum class Content { a, b, difference }; // an image of a comparison

struct View {
    const char* id; // in saved sessions
    const char* label;
    std::vector<Content> contents; // from left to right

    bool shows(Content content) const;
    QString text() const; // its label, translated
};

// THE table. The first is what a new window shows.
std::span<const View> views();
const View* findView(const QString& id); // nullptr when unknown

} // namespace ui
