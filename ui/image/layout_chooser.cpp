#include "ui/image/layout_chooser.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace ui
{

using Layout = ImagePanel::Layout;

QString LayoutChooser::label(Layout layout)
{
    switch (layout) {
    case Layout::all:
        return tr("A | B | A − B");
    case Layout::a:
        return tr("A");
    case Layout::ab:
        return tr("A | B");
    case Layout::difference:
        return tr("A − B");
    }
    return {};
}

LayoutChooser::LayoutChooser(ImagePanel& images, QWidget* parent) : QWidget(parent), m_buttons(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("layoutChooser"));
    setAccessibleName(tr("Which images are shown"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 2);
    row->setSpacing(1);
    for (const Layout layout : {Layout::all, Layout::a, Layout::ab, Layout::difference}) {
        auto* button = new QToolButton;
        button->setText(label(layout));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolTip(tr("Show %1 (key %2)").arg(label(layout)).arg(int(layout) + 1));
        button->setAccessibleName(tr("Show %1").arg(label(layout)));
        button->setChecked(layout == images.layout());
        m_buttons->addButton(button, int(layout));
        row->addWidget(button);
    }
    connect(m_buttons, &QButtonGroup::idClicked, &images, [&images](int id) { images.setLayout(Layout(id)); });
    connect(&images, &ImagePanel::layoutChanged, this,
            [this](Layout layout) { m_buttons->button(int(layout))->setChecked(true); });
}

} // namespace ui
