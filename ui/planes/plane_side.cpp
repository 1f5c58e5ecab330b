// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_side.h"

#include "ui/image/tool_chooser.h"
#include "ui/numbers/areas_panel.h"
#include "ui/planes/axis_drags.h"
#include "ui/planes/plane_fields.h"
#include "ui/planes/planes_panel.h"
#include "ui/profile/profile_panel.h"
#include "ui/views/view_chooser.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/engine_text.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>

namespace ui
{

namespace
{

enum Tab { positionTab, profileTab, areasTab };

} // namespace

const std::vector<const View*>& planeViews()
{
    static const std::vector<const View*> offered = [] {
        std::vector<const View*> found;
        for (const View& view : views())
            if (view.contents.size() == 1 && !view.shows(Content::every))
                found.push_back(&view);
        return found;
    }();
    return offered;
}

PlaneSide::PlaneSide(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // as large as an image
    column->setContentsMargins(8, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(makeViews());
    makeTabs();
    column->addWidget(m_tabs, 1);
}

void PlaneSide::makeTabs()
{
    m_profile = new ProfilePanel;
    m_areas = new AreasPanel;
    m_areas->setLocal();
    for (QWidget* page : {static_cast<QWidget*>(m_profile), static_cast<QWidget*>(m_areas)}) {
        page->setMinimumSize(1, 1);                          // they take no room from the images
        for (QWidget* part : page->findChildren<QWidget*>()) // the page Slice has the same parts
            if (const QString name = part->objectName(); !name.isEmpty() && !name.startsWith(QLatin1String("qt_")))
                part->setObjectName(QStringLiteral("planes_") + name);
    }
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("planeTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makePosition(), tr("Position"));
    m_tabs->addTab(m_profile, tr("Profile"));
    m_tabs->addTab(m_areas, tr("Areas"));
    connect(m_tabs, &QTabWidget::currentChanged, this, &PlaneSide::measuringChanged);
    connect(m_profile, &ProfilePanel::marksEdited, this, &PlaneSide::marksEdited);
    connect(m_profile, &ProfilePanel::pointedAt, this, &PlaneSide::pointedAt);
    connect(m_areas, &AreasPanel::marksEdited, this, &PlaneSide::marksEdited);
    connect(m_areas, &AreasPanel::toolWanted, this, &PlaneSide::toolChosen);
}

QWidget* PlaneSide::makePosition()
{
    auto* made = new QWidget;
    auto* column = new QVBoxLayout(made);
    column->setContentsMargins(4, 8, 4, 0);
    column->setSpacing(8);
    m_fields = new PlaneFields;
    connect(m_fields, &PlaneFields::edited, this, &PlaneSide::edited);
    column->addWidget(m_fields);
    column->addWidget(m_axis = new AxisDrags);
    column->addLayout(makeButtons());
    column->addLayout(makeFileButtons());
    addFigures(column);
    column->addStretch(1);
    return made;
}

QWidget* PlaneSide::makeViews()
{
    auto* made = new QWidget;
    auto* row = new QHBoxLayout(made);
    row->setContentsMargins(0, 0, 0, 0);
    m_views = new ViewChooser(planeViews());
    m_views->setObjectName(QStringLiteral("planeViews"));
    m_views->describe(*planeViews().front(), tr("The planes of the chosen setting, without a reference"));
    m_views->describe(*findView(QStringLiteral("difference")),
                      tr("The chosen setting minus the reference, when the planes rest"));
    m_views->describe(*findView(QStringLiteral("swipe")),
                      tr("The chosen setting on one side of a divider, the reference on the other. Drag the divider, "
                         "or move it with comma and full stop; X turns it."));
    m_views->describe(*findView(QStringLiteral("flicker")),
                      tr("The chosen setting and the reference in turn, in all planes: what differs moves. X stops and "
                         "starts it, Space shows the other one while it is held, comma slows it down, full stop speeds "
                         "it up."));
    connect(m_views, &ViewChooser::chosen, this, &PlaneSide::viewChosen);
    m_against = new QLabel;
    m_against->setObjectName(QStringLiteral("planesAgainst"));
    m_against->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_tools = new ToolChooser;
    m_tools->setObjectName(QStringLiteral("planeTools"));
    m_tools->setLocal();
    connect(m_tools, &ToolChooser::chosen, this, &PlaneSide::toolChosen);
    row->addWidget(m_views);
    row->addWidget(m_against, 1);
    row->addWidget(m_tools);
    return made;
}

QPushButton* PlaneSide::makeButton(const QString& name, const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setObjectName(name);
    made->setToolTip(tip);
    made->setAccessibleDescription(tip);
    return made;
}

QLayout* PlaneSide::makeButtons()
{
    auto* row = new QHBoxLayout;
    QPushButton* middle = makeButton(QStringLiteral("planesReset"), tr("Middle"),
                                     tr("Moves the point to the middle of the volume, and turns all planes back"));
    QPushButton* window = makeButton(QStringLiteral("planesWindow"), tr("Grey window"),
                                     tr("Chooses the grey window from the three images, or the range of their "
                                        "differences; a drag with the right button changes it"));
    connect(middle, &QPushButton::clicked, this, &PlaneSide::middleWanted);
    connect(window, &QPushButton::clicked, this, &PlaneSide::windowWanted);
    row->addWidget(middle);
    row->addWidget(window);
    row->addStretch(1);
    return row;
}

QLayout* PlaneSide::makeFileButtons()
{
    auto* row = new QHBoxLayout;
    m_copy = makeButton(QStringLiteral("planesCopy"), {}, tr("Copies the command that reconstructs this plane"));
    m_save = makeButton(QStringLiteral("planesSave"), {}, tr("Saves the image of this plane as TIFF or PNG"));
    connect(m_copy, &QPushButton::clicked, this, &PlaneSide::copyRequested);
    connect(m_save, &QPushButton::clicked, this, &PlaneSide::saveRequested);
    row->addWidget(m_copy);
    row->addWidget(m_save);
    row->addStretch(1);
    return row;
}

void PlaneSide::addFigures(QBoxLayout* column)
{
    m_figures = new QLabel;
    m_figures->setObjectName(QStringLiteral("planesFigures"));
    m_figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_figures->setToolTip(tr("Updates of pixels by projections per second (GU/s) and time of the last image of each "
                             "plane, without reading and preparing the scan"));
    m_rate = new QLabel;
    m_rate->setObjectName(QStringLiteral("planesRate"));
    m_rate->setToolTip(tr("Images of moved planes that were painted, during the last second of the movement"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("planesProgress"));
    m_progress->setAccessibleName(tr("Progress of the planes"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(true);
    QSizePolicy stays = m_progress->sizePolicy();
    stays.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(stays);
    m_progress->hide();
    auto* row = new QHBoxLayout;
    auto* moving = filled(new QVBoxLayout, {m_rate, m_progress, BoxItem::stretch(1)});
    row->addWidget(m_figures, 3);
    row->addLayout(moving, 2);
    column->addLayout(row);
    m_memory = new QLabel;
    m_memory->setObjectName(QStringLiteral("planesMemory"));
    m_memory->setWordWrap(true);
    m_memory->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_memory->hide();
    column->addWidget(m_memory);
    m_gaps = new QLabel;
    m_gaps->setObjectName(QStringLiteral("planesGaps"));
    m_gaps->setTextFormat(Qt::PlainText);
    m_gaps->setWordWrap(true);
    m_gaps->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_gaps->hide();
    column->addWidget(m_gaps);
}

void PlaneSide::showPlanes(const LinkedPlanes& planes, const engine::VoxelSides& sides)
{
    m_fields->showPlanes(planes, sides);
}

void PlaneSide::showChosen(int plane)
{
    m_copy->setText(tr("Copy command of %1").arg(planeName(plane)));
    m_save->setText(tr("Save image of %1…").arg(planeName(plane)));
    m_tabs->setTabText(profileTab, tr("Profile of %1").arg(planeName(plane)));
    m_tabs->setTabText(areasTab, tr("Areas of %1").arg(planeName(plane)));
}

bool PlaneSide::isMeasuring() const
{
    return m_tabs->currentIndex() == profileTab || m_tabs->currentIndex() == areasTab;
}

const ProfilePanel* PlaneSide::profile() const
{
    return m_tabs->currentIndex() == profileTab ? m_profile : nullptr;
}

void PlaneSide::showMarked(const Comparison& comparison, const engine::Marks& marks)
{
    if (m_tabs->currentIndex() == profileTab)
        m_profile->show(comparison, marks);
    else if (m_tabs->currentIndex() == areasTab)
        m_areas->show(comparison, marks);
}

void PlaneSide::showMarks(const engine::Shape& drawn)
{
    m_tabs->setCurrentIndex(engine::isArea(drawn) ? areasTab : profileTab);
}

void PlaneSide::pointFrom(const std::optional<QPointF>& pixel)
{
    if (m_tabs->currentIndex() == profileTab)
        m_profile->pointFrom(pixel);
}

void PlaneSide::setTool(Tool tool)
{
    m_tools->setTool(tool);
}

void PlaneSide::setView(const View& view)
{
    m_views->setView(view);
}

void PlaneSide::showAgainst(const QString& reference)
{
    const QString text = reference.isEmpty() ? QString() : tr("Reference: %1").arg(reference);
    m_against->setText(text);
    m_against->setToolTip(text + u'\n' + tr("It is chosen under the list of settings: “Compare with”"));
}

void PlaneSide::showFigures(const PlaneReferences::Images& images, const engine::Scan* scan)
{
    QStringList parts;
    for (const int plane : {2, 0, 1})
        if (const Image& image = images[static_cast<std::size_t>(plane)]) {
            const engine::Timings& times = image->timings;
            const int step = image->request.place.previewStep;
            parts << tr("%1: %2 GU/s, %3%4")
                         .arg(planeName(plane), gupsText(image->kernelGups), secondsText(times.backprojectSeconds),
                              step > 1 ? tr(", in steps of %1 pixels").arg(step) : QString());
            if (step == 1 && scan && image->request.scan.get() != scan)
                parts.back() += tr(", %1 projections").arg(image->request.scan->projections());
        }
    m_figures->setText(parts.join(QLatin1Char('\n')));
    QStringList gaps;
    for (const Image& image : images)
        if (image)
            for (const engine::Note& gap : image->gaps)
                if (const QString text = inWindow(gap.text()); !gaps.contains(text))
                    gaps << text;
    m_gaps->setText(gaps.join(QLatin1Char('\n')));
    m_gaps->setVisible(!gaps.isEmpty());
}

void PlaneSide::showMemory(const QString& note)
{
    m_memory->setText(note);
    m_memory->setVisible(!note.isEmpty());
}

void PlaneSide::showRate(double perSecond)
{
    m_rate->setText(perSecond > 0 ? tr("planes: %1 per second").arg(perSecond, 0, 'f', perSecond < 10 ? 1 : 0)
                                  : QString());
}

void PlaneSide::showProgress(const QString& stage, double fraction)
{
    m_progress->setFormat(stage);
    m_progress->setValue(static_cast<int>(1000 * fraction));
    m_progress->show();
}

void PlaneSide::hideProgress()
{
    m_progress->hide();
}

} // namespace ui
