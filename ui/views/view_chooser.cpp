#include "ui/views/view_chooser.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QSvgRenderer>
#include <QToolButton>

namespace ui
{

namespace
{

constexpr int sketchWidth = 20, sketchHeight = 16;

} // namespace

ViewChooser::ViewChooser(QWidget* parent) : QWidget(parent), m_buttons(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("viewChooser"));
    setAccessibleName(tr("Which images are shown"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 2);
    row->setSpacing(1);
    for (int k = 0; k < int(views().size()); ++k) {
        const QString text = views()[k].text();
        auto* button = new QToolButton;
        button->setText(text);
        button->setIconSize(QSize(sketchWidth, sketchHeight));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolTip(tr("%1: %2 (key %3)").arg(text, views()[k].description()).arg(k + 1));
        button->setAccessibleName(tr("Show %1").arg(text));
        button->setChecked(k == 0);
        m_buttons->addButton(button, k);
        row->addWidget(button);
    }
    makeIcons();
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int k) { emit chosen(views()[k]); });
}

// In the colour of the theme's text, and twice as fine for screens of high density.
void ViewChooser::makeIcons()
{
    const QString drawing =
        QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1 %2'><path d='%3' "
                       "fill='none' stroke='%4' stroke-width='1.3' stroke-linejoin='round'/></svg>");
    for (int k = 0; k < int(views().size()); ++k) {
        QPixmap picture(2 * sketchWidth, 2 * sketchHeight);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        QSvgRenderer(drawing.arg(sketchWidth)
                         .arg(sketchHeight)
                         .arg(QLatin1String(views()[k].sketch), palette().color(QPalette::WindowText).name())
                         .toUtf8())
            .render(&painter);
        painter.end();
        picture.setDevicePixelRatio(2);
        m_buttons->button(k)->setIcon(picture);
    }
}

void ViewChooser::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcons();
}

void ViewChooser::setView(const View& view)
{
    m_buttons->button(int(&view - views().data()))->setChecked(true);
}

} // namespace ui
