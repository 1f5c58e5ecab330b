// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include "ui/background/application.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/settings/settings_panel.h"
#include "ui/widgets/boxes.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int cardWidth = 330;
constexpr int apart = 10; // pixels between the card and what it explains, or the window's edge

} // namespace

Tour::Tour(QWidget& window, const InputPanels& inputs, const ResultPanels& results)
    : QFrame(&window), m_window(window), m_inputs(inputs), m_results(results), m_frame(new QFrame(&window)),
      m_title(new QLabel), m_text(new QLabel), m_count(new QLabel), m_leave(new QPushButton(tr("Leave"))),
      m_back(new QPushButton(tr("Back"))), m_next(new QPushButton)
{
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setFixedWidth(cardWidth);
    m_frame->setObjectName(QStringLiteral("tourFrame"));
    m_frame->setFrameShape(QFrame::Box);
    m_frame->setLineWidth(3);
    m_frame->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_frame->hide();
    QFont bold = font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_text->setObjectName(QStringLiteral("tourText"));
    m_text->setWordWrap(true);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_leave->setObjectName(QStringLiteral("tourLeave"));
    m_leave->setToolTip(tr("Ends the tour (Esc); your scan and settings come back"));
    m_back->setObjectName(QStringLiteral("tourBack"));
    m_next->setObjectName(QStringLiteral("tourNext"));
    connect(m_leave, &QPushButton::clicked, this, guarded([this] { leave(); }));
    connect(m_back, &QPushButton::clicked, this, guarded([this] { go(m_step - 1); }));
    connect(m_next, &QPushButton::clicked, this, guarded([this] { go(m_step + 1); }));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_count);
    buttons->addStretch(1);
    for (QPushButton* button : {m_leave, m_back, m_next})
        buttons->addWidget(button);
    filled(new QVBoxLayout(this), {m_title, m_text, buttons});
    hide();
    window.installEventFilter(this);
}

std::vector<Tour::Step> Tour::steps() const
{
    return {
        {tr("A slice, and how far it is from exact"),
         tr("Sinoscope reconstructs a scan with the kernel you choose. The large image is the result; the small one is "
            "its difference from the exact result, in colours of its own scale. Esc ends the tour: your scan and "
            "settings "
            "come back, while Undo and the 3-D stack begin anew."),
         "imageA", &Tour::showImage},
        {tr("Two settings"),
         tr("The list holds what is compared. The tour has added setting B, which stores the projections in 16 instead "
            "of 32 bits. Kernel, interpolation, precision and slices below it belong to the chosen setting."),
         "settingList", &Tour::addHalf},
        {tr("What half precision costs"),
         tr("Image, exact result and their difference beside each other (key 2). With 16 bits the difference is about "
            "forty times as large, and still far below what the eye sees in the image."),
         "imageDifference", &Tour::showDifference},
        {tr("Along a line"),
         tr("The values along the line on the image, and their distance from the exact result. Drag the line, or draw "
            "others with Draw."),
         "profilePlot", nullptr},
        {tr("How fast"),
         tr("GU/s counts billions of updates per second: voxels × projections. The page Numbers has speed and error of "
            "every setting; More has histograms, spectra and the history of speeds."),
         "speedPanel", &Tour::showNumbers},
        {tr("Your own scan"),
         tr("Open it with Ctrl+O, or drop it on the window: DXchange, NXtomo and other HDF5, TIFF, Nikon, MATLAB, "
            "NumPy "
            "and raw files. After the tour, the scan and the settings that you had come back."),
         "scanBar", nullptr},
    };
}

void Tour::begin()
{
    if (m_step < 0)
        emit begun();
    m_inputs.settings->setList({});
    m_step = -1;
    go(0);
}

void Tour::leave()
{
    if (m_step < 0)
        return;
    m_step = -1;
    hide();
    m_frame->hide();
    emit left();
}

void Tour::go(int step)
{
    const std::vector<Step> all = steps();
    if (step < 0 || step >= static_cast<int>(all.size()))
        return leave();
    const bool isForward = step > m_step;
    m_step = step;
    const Step& now = all[static_cast<std::size_t>(step)];
    if (now.act && (isForward || now.act != &Tour::addHalf))
        (this->*now.act)();
    m_title->setText(now.title);
    m_text->setText(now.text);
    setAccessibleDescription(now.title + u'\n' + now.text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(all.size()));
    const bool isLast = step + 1 == static_cast<int>(all.size());
    m_back->setEnabled(step > 0);
    m_leave->setVisible(!isLast);
    m_next->setText(isLast ? tr("Done") : tr("Next"));
    show();
    m_next->setFocus(Qt::OtherFocusReason);
    place();
    // Once more when the new layout has been applied.
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
}

// Puts the card where it doesn't cover what it explains: to the right of it, below, above, or to the left.
void Tour::place()
{
    if (m_step < 0)
        return;
    setFixedHeight(layout()->heightForWidth(cardWidth) + 4); // letters reach a little below their line
    const QRect room = m_window.rect().adjusted(apart, apart, -apart, -apart);
    const auto* about = m_window.findChild<QWidget*>(QLatin1String(steps()[static_cast<std::size_t>(m_step)].about));
    m_frame->setVisible(about && about->isVisible());
    QRect seen = about ? QRect(about->mapTo(&m_window, QPoint()), about->size()) : QRect(room.center(), QSize());
    m_frame->setGeometry(seen.adjusted(-3, -3, 3, 3));
    m_frame->raise();
    seen.adjust(-apart, -apart, apart, apart);
    QPoint corner(room.right() - width(), room.bottom() - height()); // over a widget that fills the window
    const QPoint places[] = {{seen.right(), seen.top()},
                             {seen.left(), seen.bottom()},
                             {seen.left(), seen.top() - height()},
                             {seen.left() - width(), seen.top()}};
    for (const QPoint& place : places) {
        const QRect card(QPoint(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())),
                                std::clamp(place.y(), room.top(), std::max(room.top(), room.bottom() - height()))),
                         size());
        if (!card.intersects(seen.adjusted(1, 1, -1, -1))) {
            corner = card.topLeft();
            break;
        }
    }
    move(corner);
    raise();
}

void Tour::showImage()
{
    m_results.images->setView(*findView(QStringLiteral("a")));
}

void Tour::addHalf()
{
    engine::Setting half = m_inputs.settings->list().chosen().setting;
    half.kernel.precision = engine::Precision::half;
    m_inputs.settings->bring(half, QString());
}

void Tour::showDifference()
{
    m_results.images->setView(*findView(QStringLiteral("all")));
    m_results.numbers->setCurrentIndex(0);
    m_results.numbers->setFolded(false);
}

void Tour::showNumbers()
{
    m_results.numbers->setCurrentIndex(1);
}

bool Tour::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        leave();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        go(m_step + 1);
    else
        QFrame::keyPressEvent(event);
}

} // namespace ui
