// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_side.h"

#include "ui/planes/plane_fields.h"
#include "ui/planes/planes_panel.h"
#include "ui/views/view_chooser.h"
#include "ui/widgets/displayed_number.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui
{

const std::vector<const View*>& planeViews()
{
    static const std::vector<const View*> offered = [] {
        std::vector<const View*> found;
        for (const char* id : {"a", "difference", "swipe", "overlay", "lens"})
            found.push_back(findView(QLatin1String(id)));
        return found;
    }();
    return offered;
}

PlaneSide::PlaneSide(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(10);
    column->addWidget(makeViews());
    m_fields = new PlaneFields;
    connect(m_fields, &PlaneFields::edited, this, &PlaneSide::edited);
    column->addWidget(m_fields);
    column->addLayout(makeButtons());
    column->addLayout(makeFileButtons());
    addFigures(column);
    column->addStretch(1);
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
    connect(m_views, &ViewChooser::chosen, this, &PlaneSide::viewChosen);
    m_against = new QLabel;
    m_against->setObjectName(QStringLiteral("planesAgainst"));
    m_against->setToolTip(tr("The reference is chosen under the list of settings: “Compare with”"));
    row->addWidget(m_views);
    row->addWidget(m_against, 1);
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
    m_figures->setWordWrap(true);
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
    column->addWidget(m_figures);
    column->addWidget(m_rate);
    column->addWidget(m_progress);
}

void PlaneSide::showPlanes(const LinkedPlanes& planes, const std::optional<double>& pixelSizeMm)
{
    m_fields->showPlanes(planes, pixelSizeMm);
}

void PlaneSide::showChosen(int plane)
{
    m_copy->setText(tr("Copy command of %1").arg(planeName(plane)));
    m_save->setText(tr("Save image of %1…").arg(planeName(plane)));
}

void PlaneSide::setView(const View& view)
{
    m_views->setView(view);
}

void PlaneSide::showAgainst(const QString& reference)
{
    m_against->setText(reference.isEmpty() ? QString() : tr("Reference: %1").arg(reference));
}

void PlaneSide::showFigures(const PlaneReferences::Images& images)
{
    QStringList parts;
    for (const int plane : {2, 0, 1})
        if (const Image& image = images[static_cast<std::size_t>(plane)]) {
            const engine::Timings& times = image->timings;
            const int step = image->request.place.previewStep;
            parts << tr("%1: %2 GU/s, %3%4")
                         .arg(planeName(plane), gupsText(image->kernelGups), secondsText(times.backprojectSeconds),
                              step > 1 ? tr(", in steps of %1 pixels").arg(step) : QString());
        }
    m_figures->setText(parts.join(QLatin1Char('\n')));
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
