#include "ui/views/views.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace ui
{

std::span<const View> views()
{
    static const std::array table = {
        View{"all", QT_TRANSLATE_NOOP("ui::View", "A | B | A − B"), {Content::a, Content::b, Content::difference}},
        View{"a", QT_TRANSLATE_NOOP("ui::View", "A"), {Content::a}},
        View{"ab", QT_TRANSLATE_NOOP("ui::View", "A | B"), {Content::a, Content::b}},
        View{"difference", QT_TRANSLATE_NOOP("ui::View", "A − B"), {Content::difference}},
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

QString View::text() const
{
    return QCoreApplication::translate("ui::View", label);
}

} // namespace ui
