// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/recorded_panel.h"

#include "ui/image/value_text.h"
#include "ui/recorded/linked_point.h"
#include "ui/recorded/look_chooser.h"
#include "ui/recorded/marked_rows.h"
#include "ui/recorded/projection_bar.h"
#include "ui/recorded/recorded_image.h"
#include "ui/recorded/recorded_links.h"
#include "ui/widgets/boxes.h"

#include <QComboBox>

#include <mutex>

namespace ui
{

namespace
{

constexpr int slowMs = 300; // reading that takes longer shows a message

} // namespace

// The reader of projections, which is for one thread at a time.
struct ProjectionReading {
    std::mutex mutex;
    engine::Projections projections;
};

RecordedPanel::RecordedPanel(QWidget* parent)
    : QWidget(parent), m_reading(std::make_shared<ProjectionReading>()), m_looks(std::make_unique<LookChooser>())
{
    setObjectName(QStringLiteral("recorded"));
    makeParts();
    arrange();
    connectParts();
    m_slow.setSingleShot(true);
    m_slow.setInterval(slowMs);
    setScan(nullptr);
}

RecordedPanel::~RecordedPanel() = default;

void RecordedPanel::makeParts()
{
    const QString zoom = tr(" Wheel, plus and minus zoom; drag or arrow keys pan; double click fits.");
    m_sinogram =
        std::make_unique<RecordedImage>("sinogram", tr("Sinogram of the slice's row"),
                                        tr("A click shows that projection.") + zoom, RecordedImage::Fill::always, this);
    m_projection = std::make_unique<RecordedImage>("projection", tr("Projection"),
                                                   tr("A click shows the slice of that row. Ctrl and a drag mark "
                                                      "the slices to save as a volume, Ctrl and a click removes the "
                                                      "mark.") +
                                                       zoom,
                                                   RecordedImage::Fill::whereLow, this);
    m_bar = new ProjectionBar;
    m_links = std::make_unique<RecordedLinks>(*m_sinogram, *m_projection, *m_bar, this);
    m_marked = std::make_unique<MarkedRows>(*m_projection->view());
}

void RecordedPanel::arrange()
{
    auto* top = filled(new QHBoxLayout, {{m_sinogram->header(), 1}, m_looks->how(), m_looks->step()}, {.spacing = 4});
    filled(new QVBoxLayout(this),
           {top, {m_sinogram->view(), 1}, m_projection->header(), {m_projection->view(), 1}, m_bar}, flush);
}

void RecordedPanel::connectParts()
{
    connect(m_looks.get(), &LookChooser::changed, this, &RecordedPanel::refresh);
    connect(m_bar, &ProjectionBar::projectionChanged, this, &RecordedPanel::refresh);
    connect(m_bar, &ProjectionBar::playingChanged, this, &RecordedPanel::playingChanged);
    connect(m_bar, &ProjectionBar::advanceWanted, this, [this] {
        if (m_scan && !m_held && !m_projection->isBusy())
            m_bar->advance();
    });
    connect(m_sinogram->view(), &ImageView::clicked, this,
            [this](const QPointF& at) { setProjection(qRound(at.y())); });
    for (const RecordedImage* image : {m_sinogram.get(), m_projection.get()}) {
        connect(image, &RecordedImage::taken, this, [this] {
            showColours();
            m_links->show();
            refresh();
        });
        connect(image, &RecordedImage::failed, this, [this] {
            play(false);
            reportIfSettled();
        });
        connect(image, &RecordedImage::cancelled, this, [this] {
            if (m_held)
                reportIfSettled();
            else
                refresh(); // handles requests made before the cancellation took effect
        });
    }
    connect(m_links.get(), &RecordedLinks::sliceWanted, this, &RecordedPanel::sliceWanted);
    connect(m_links.get(), &RecordedLinks::guidesChanged, this, &RecordedPanel::guidesChanged);
    connect(m_links.get(), &RecordedLinks::pointKept, this, &RecordedPanel::pointKept);
    connect(m_links.get(), &RecordedLinks::pointerMoved, this, &RecordedPanel::pointerMoved);
    connect(m_marked.get(), &MarkedRows::changed, this, &RecordedPanel::showTitles);
    connect(&m_slow, &QTimer::timeout, this, &RecordedPanel::showSlow);
}

void RecordedPanel::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    const bool isSameSize = scan && m_scan && scan->projections() == m_scan->projections();
    const bool hasRows = scan && scan->rows > 1;
    m_scan = scan;
    m_request.reset();
    m_links->setScan(scan);
    m_marked->setDetector(scan ? QSize(scan->bins(), scan->rows) : QSize());
    hold();
    m_sinogram->drop();
    m_projection->drop();
    if (!isSameSize)
        play(false);
    m_bar->setCount(scan ? scan->projections() : 1, isSameSize);
    m_bar->setPlayable(hasRows);
    m_projection->header()->setVisible(hasRows);
    m_projection->view()->setVisible(hasRows);
    setEnabled(scan != nullptr);
    showTitles();
    m_links->show();
}

void RecordedPanel::hold()
{
    m_held = true;
    m_sinogram->cancel();
    m_projection->cancel();
}

void RecordedPanel::hold(const Comparison& asked)
{
    hold();
    if (asked.compared.empty() || asked.a().request.scan != m_scan)
        return;
    m_request = asked.a().request;
    m_links->setSlice(asked.slice);
}

void RecordedPanel::release()
{
    m_held = false;
    refresh();
}

void RecordedPanel::show(const Comparison& comparison)
{
    const auto& made = comparison.a().result;
    if (!made || made->request.scan != m_scan)
        return;
    m_request = made->request;
    m_request->setting = comparison.a().request.setting;
    m_links->setSlice(comparison.slice);
    m_links->setSight(sightOf(*made));
    release();
}

RecordedRequest RecordedPanel::requestOf(int number) const
{
    RecordedRequest wanted{m_scan, m_looks->look(), {}, number};
    if (!m_request)
        return wanted;
    if (wanted.look.how != engine::Shown::raw)
        wanted.preparation = m_request->setting.preparation;
    wanted.quantity = engine::quantityOf(*m_request, wanted.look);
    return wanted;
}

void RecordedPanel::refresh()
{
    if (!m_scan)
        return;
    m_looks->offerSteps(m_request);
    showTitles();
    m_links->show();
    if (m_held || !m_request || !isVisible())
        return;
    const RecordedRequest ofRow = requestOf(m_links->row()), ofProjection = requestOf(projection());
    bool isReading = m_sinogram->ask(ofRow, [asked = *m_request, ofRow](const std::stop_token& stop) {
        return engine::sinogramOf(asked, ofRow.look, ofRow.number, stop);
    });
    if (m_scan->rows > 1)
        isReading |= m_projection->ask(
            ofProjection, [asked = *m_request, ofProjection, kept = m_reading](const std::stop_token& stop) {
                const std::lock_guard lock(kept->mutex);
                return kept->projections.image(asked, ofProjection.look, ofProjection.number, stop);
            });
    if (isReading && !isPlaying())
        m_slow.start();
    reportIfSettled();
}

void RecordedPanel::showTitles()
{
    m_sinogram->header()->setTitle(m_scan ? tr("Sinogram of row %1").arg(m_links->row()) : tr("Sinogram"));
    m_projection->header()->setTitle(tr("Projection %1").arg(projection()));
    QString note, tip;
    QStringList left;
    if (m_scan && m_request)
        for (const std::string& label : engine::stepsOfSinogramsAlone(*m_request, m_looks->look()))
            left << QString::fromStdString(label).toLower();
    if (!left.isEmpty()) {
        note = tr("without %1").arg(left.join(tr(", ")));
        tip = tr("These steps use all projections of a row.");
    }
    const bool hasRange = m_sinogram->isDifference() && m_sinogram->isThere();
    m_sinogram->header()->setNote(hasRange ? QStringLiteral("± ") + valueText(m_sinogram->largest(), 3) : QString(), {},
                                  tr("Values at the ends of the colour scale"));
    QStringList notes{note, m_scan ? m_links->angleText(projection()) : QString()};
    if (const auto marked = markedSlices()) {
        notes.prepend(tr("slices %1 to %2 marked").arg(marked->first).arg(marked->first + marked->count - 1));
        tip = (QStringList{tr("“Save the volume” offers the marked slices. Ctrl and a click remove the mark."), tip})
                  .join(u'\n')
                  .trimmed();
    }
    notes.removeAll(QString());
    m_projection->header()->setNote(notes.join(QStringLiteral(" · ")), {}, tip);
}

std::optional<engine::RowRange> RecordedPanel::markedSlices() const
{
    return m_marked->rows() ? m_links->slicesIn(*m_marked->rows()) : std::nullopt;
}

void RecordedPanel::showColours()
{
    const bool isDark = palette().color(QPalette::Window).lightness() < 128;
    const ColourTable& colours = colourMaps()[static_cast<std::size_t>(m_colourMap)].colours;
    m_sinogram->setColours(colours, isDark);
    m_projection->setColours(colours, isDark);
}

void RecordedPanel::showSlow()
{
    m_sinogram->showSlow();
    m_projection->showSlow();
}

void RecordedPanel::reportIfSettled()
{
    if (!busy())
        emit settled();
}

bool RecordedPanel::busy() const
{
    return m_sinogram->isBusy() || m_projection->isBusy();
}

void RecordedPanel::setShown(const engine::Look& look)
{
    m_looks->set(look);
    refresh();
}

void RecordedPanel::lookAt(const QString& step)
{
    m_looks->lookAt(step);
    refresh();
}

bool RecordedPanel::isAtStep() const
{
    return m_looks->isAtStep();
}

void RecordedPanel::setProjection(int projection)
{
    m_bar->setProjection(projection);
}

void RecordedPanel::step(int by)
{
    m_bar->step(by);
}

void RecordedPanel::play(bool on)
{
    m_bar->play(on);
}

int RecordedPanel::projection() const
{
    return m_bar->projection();
}

bool RecordedPanel::isPlaying() const
{
    return m_bar->isPlaying();
}

void RecordedPanel::pointAt(const std::optional<QPointF>& position)
{
    m_links->pointAt(position);
}

void RecordedPanel::setColourMap(const QString& name)
{
    const auto& maps = colourMaps();
    for (std::size_t k = 0; k < maps.size(); ++k)
        if (maps[k].name == name)
            m_colourMap = static_cast<int>(k);
    showColours();
}

void RecordedPanel::saveState(QSettings& settings) const
{
    m_looks->saveState(settings);
    m_bar->saveState(settings);
}

void RecordedPanel::restoreState(const QSettings& settings)
{
    m_looks->restoreState(settings);
    m_bar->restoreState(settings);
}

void RecordedPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
    m_links->show();
}

void RecordedPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    play(false);
    m_links->forgetPoint();
    emit guidesChanged({});
    emit pointKept({});
}

} // namespace ui
