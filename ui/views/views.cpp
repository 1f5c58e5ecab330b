// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/views.h"

#include "ui/views/compositions.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui
{

std::span<const View> views()
{
    static const std::array table = {
        View{
            "a",
            QT_TRANSLATE_NOOP("ui::View", "Image"),
            QT_TRANSLATE_NOOP(
                "ui::View", "The image of the chosen setting, large, with the difference or the reference as an inset"),
            "M4 2h12v12h-12z M7.5 11.5l2.5-7l2.5 7 M8.4 9h3.2",
            {Content::a}},
        View{"all",
             QT_TRANSLATE_NOOP("ui::View", "Image | reference | difference"),
             QT_TRANSLATE_NOOP("ui::View", "Image, reference and their difference side by side"),
             "M1 3h5v10h-5z M7.5 3h5v10h-5z M14 3h5v10h-5z M15 8h3",
             {Content::a, Content::b, Content::difference}},
        View{"ab",
             QT_TRANSLATE_NOOP("ui::View", "Image | reference"),
             QT_TRANSLATE_NOOP("ui::View", "Image and reference side by side"),
             "M1 3h8v10h-8z M11 3h8v10h-8z",
             {Content::a, Content::b}},
        View{"difference",
             QT_TRANSLATE_NOOP("ui::View", "Difference"),
             QT_TRANSLATE_NOOP("ui::View", "The difference alone"),
             "M4 2h12v12h-12z M7 8h6",
             {Content::difference}},
        View{"swipe",
             QT_TRANSLATE_NOOP("ui::View", "Swipe"),
             QT_TRANSLATE_NOOP("ui::View", "The image on one side of a divider, the reference on the other"),
             "M2 3h16v10h-16z M10 1v14 M6.5 6l-2 2l2 2 M13.5 6l2 2l-2 2",
             {Content::composed},
             makeSwipe},
        View{"flicker",
             QT_TRANSLATE_NOOP("ui::View", "Blink"),
             QT_TRANSLATE_NOOP("ui::View", "Image and reference in turn: what differs moves"),
             "M2 6h10v8h-10z M8 3.5v-1.5h10v8h-3.5",
             {Content::composed},
             makeFlicker},
        View{"overlay",
             QT_TRANSLATE_NOOP("ui::View", "Overlay"),
             QT_TRANSLATE_NOOP("ui::View",
                               "The image in orange and the reference in blue over each other: what is equal is grey"),
             "M2 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0 M7 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0",
             {Content::composed},
             makeTwoColours},
        View{"lens",
             QT_TRANSLATE_NOOP("ui::View", "Lens"),
             QT_TRANSLATE_NOOP("ui::View", "The reference in a lens on the image, and the difference inside the lens"),
             "M3 7a5 5 0 1 0 10 0a5 5 0 1 0 -10 0 M12 10.5l5.5 4.5",
             {Content::composed},
             makeLens},
        View{"grid",
             QT_TRANSLATE_NOOP("ui::View", "Grid"),
             QT_TRANSLATE_NOOP("ui::View", "Every setting and the reference beside each other"),
             "M2 2h7v5h-7z M11 2h7v5h-7z M2 9h7v5h-7z M11 9h7v5h-7z",
             {Content::every}},
        View{"recorded",
             QT_TRANSLATE_NOOP("ui::View", "Image | scan"),
             QT_TRANSLATE_NOOP("ui::View", "The image beside the sinogram of its row and a projection: the place "
                                           "pointed at in one is marked in the others"),
             "M1 3h8v10h-8z M11 2h7v5h-7z M11 9h7v5h-7z M11 4.5c2-3 5 3 7 0",
             {Content::a, Content::recorded}},
    };
    return table;
}

const View* findView(const QString& id)
{
    for (const View& view : views())
        if (id == QLatin1String(view.id))
            return &view;
    return nullptr;
}

bool View::shows(Content content) const
{
    return std::find(contents.begin(), contents.end(), content) != contents.end();
}

QKeySequence View::keys() const
{
    if (shows(Content::recorded))
        return Qt::Key_R;
    const auto number = this - views().data() + 1;
    return number < 10 ? QKeySequence(Qt::Key_0 + int(number)) : QKeySequence(); // there are no more digit keys
}

QString View::text() const
{
    return QCoreApplication::translate("ui::View", label);
}

QString View::description() const
{
    return QCoreApplication::translate("ui::View", summary);
}

} // namespace ui
