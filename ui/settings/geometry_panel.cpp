// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/geometry_panel.h"

#include "engine/scan/geometry_facts.h"
#include "engine/scan/reinterpreted_scan.h"
#include "ui/settings/geometry_fields.h"
#include "ui/settings/geometry_sketch.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/fold_out.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

QLabel* remark(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

} // namespace

GeometryPanel::GeometryPanel(int labelWidth, QWidget* parent)
    : QWidget(parent), m_fold(new FoldOut("geometryHeading", tr("Geometry of the scan, which can be corrected"))),
      m_sketch(new GeometrySketch), m_fields(new GeometryFields(labelWidth)), m_taken(remark("takenAs")),
      m_problem(remark("geometryProblem")), m_missing(remark("geometryMissing")),
      m_becomeCone(new QPushButton(tr("Cone…"))), m_takeCone(new QPushButton(tr("Use as a cone beam"))),
      m_takeParallel(new QPushButton(tr("Use as a parallel beam"))), m_back(new QPushButton(tr("Revert")))
{
    setObjectName(QStringLiteral("geometry"));
    makeButtons();
    m_missing->setForegroundRole(QPalette::PlaceholderText);
    arrange();
    connectParts();
    setScan(nullptr);
}

void GeometryPanel::makeButtons()
{
    m_becomeCone->setObjectName(QStringLiteral("becomeCone"));
    m_becomeCone->setToolTip(tr("Describe the cone beam: source, detector and pixel"));
    m_takeCone->setObjectName(QStringLiteral("takeCone"));
    m_takeParallel->setObjectName(QStringLiteral("takeParallel"));
    m_takeParallel->setToolTip(tr("The same rows; each is a slice"));
    m_back->setObjectName(QStringLiteral("geometryBack"));
    m_back->setToolTip(tr("Back to the current geometry of the scan"));
}

void GeometryPanel::arrange()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fold);
    QVBoxLayout* body = m_fold->body();
    body->addWidget(m_sketch);
    body->addWidget(m_taken);
    body->addWidget(m_becomeCone);
    body->addWidget(m_fields);
    body->addWidget(m_problem);
    body->addWidget(m_back);
    body->addWidget(m_takeCone);
    body->addWidget(m_takeParallel);
    body->addWidget(m_missing); // below the buttons, which stay where they are
}

void GeometryPanel::connectParts()
{
    connect(m_fields, &GeometryFields::changed, this, &GeometryPanel::take);
    connect(m_fields, &GeometryFields::cleared, this, &GeometryPanel::show);
    connect(m_fields, &GeometryFields::directionChosen, this, &GeometryPanel::takeDirection);
    connect(m_fields, &GeometryFields::pointedAt, m_sketch, &GeometrySketch::emphasise);
    connect(m_becomeCone, &QPushButton::clicked, this, &GeometryPanel::becomeCone);
    connect(m_back, &QPushButton::clicked, this, &GeometryPanel::restore);
    connect(m_takeCone, &QPushButton::clicked, this, [this] { emit coneWanted(m_said); });
    connect(m_takeParallel, &QPushButton::clicked, this, &GeometryPanel::becomeParallel);
}

void GeometryPanel::becomeCone()
{
    m_kind = Kind::becoming;
    show();
    m_fields->focusFirst();
    m_fold->unfold();
}

void GeometryPanel::becomeParallel()
{
    if (m_kind == Kind::cone)
        return emit parallelWanted();
    m_kind = Kind::parallel;
    show();
}

void GeometryPanel::restore()
{
    m_said = m_held;
    m_problem->clear();
    show();
}

void GeometryPanel::setScan(const engine::Scan* scan)
{
    const auto* cone = scan ? std::get_if<engine::ConeBeam>(&scan->geometry) : nullptr;
    m_kind = !scan ? Kind::none : cone ? Kind::cone : Kind::parallel;
    m_held = m_said = scan ? engine::saidOf(*scan) : engine::ConeOptions();
    m_beam = cone ? *cone : engine::ConeBeam();
    if (scan && !cone) {
        m_beam.rows = scan->rows;
        m_beam.bins = scan->bins();
    }
    m_clockwise = scan && scan->projections() > 1 && scan->anglesRad()[1] < scan->anglesRad()[0];
    m_fold->setTitle(scan ? tr("Geometry: %1").arg(QString::fromStdString(engine::labelOf(scan->geometry)))
                          : tr("Geometry"));
    const QStringList doubts = scan ? inWindow(engine::geometryDoubts(scan->geometry)) : QStringList();
    m_problem->setText(doubts.join(QLatin1Char('\n')));
    show();
}

// Keeps what was typed: the user may correct it with another field.
void GeometryPanel::showProblem(const QString& message)
{
    m_problem->setText(message);
    show();
    m_fold->unfold();
}

// Updates all widgets.
void GeometryPanel::show()
{
    setEnabled(m_kind != Kind::none);
    const bool hasRows = m_kind == Kind::cone || m_kind == Kind::becoming;
    m_taken->setVisible(m_kind == Kind::parallel);
    m_taken->setText(tr("Used as a parallel beam: every row of the detector is a slice."));
    m_becomeCone->setVisible(m_kind == Kind::parallel);
    m_fields->setVisible(hasRows);
    m_takeCone->setVisible(m_kind == Kind::becoming);
    m_takeParallel->setVisible(hasRows);
    m_takeParallel->setText(m_kind == Kind::becoming ? tr("Keep the parallel beam") : tr("Use as a parallel beam"));
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_back->setVisible(m_kind == Kind::cone && m_said != m_held);
    m_fields->show(m_said, m_beam, m_kind == Kind::becoming);
    m_fields->showDirection(m_clockwise);
    showSketch();
    offerCone();
}

void GeometryPanel::showSketch()
{
    m_sketch->show(sketchedGeometry(m_said, m_beam, m_kind == Kind::cone || m_kind == Kind::becoming));
}

void GeometryPanel::take(const engine::ConeOptions& said)
{
    m_said = said;
    m_problem->clear();
    showSketch();
    if (m_kind == Kind::cone)
        emit coneWanted(m_said);
    else
        offerCone();
}

void GeometryPanel::takeDirection(bool isClockwise)
{
    m_said.direction =
        isClockwise != m_clockwise ? engine::AngleDirection::clockwise : engine::AngleDirection::anticlockwise;
    m_fields->setOptions(m_said);
    if (m_kind == Kind::cone)
        emit coneWanted(m_said);
}

// The text keeps its room while the distances are typed, so that nothing moves when it gets shorter or goes.
void GeometryPanel::showMissing(const QString& text)
{
    const bool isBecoming = m_kind == Kind::becoming;
    if (!text.isEmpty())
        m_missing->setText(text);
    QSizePolicy policy = m_missing->sizePolicy();
    policy.setRetainSizeWhenHidden(isBecoming);
    m_missing->setSizePolicy(policy);
    m_missing->setMinimumHeight(isBecoming ? std::max(m_missing->minimumHeight(), m_missing->heightForWidth(width()))
                                           : 0);
    m_missing->setVisible(isBecoming && !text.isEmpty());
}

// Enables the button that makes the scan a cone beam, or shows what is missing.
void GeometryPanel::offerCone()
{
    const QStringList missing = m_fields->missing();
    const bool isBefore = missing.isEmpty() && *m_said.sourceDetectorMm < *m_said.sourceAxisMm;
    showMissing(!missing.isEmpty() ? tr("Still missing: %1.").arg(missing.join(tr(", ")))
                : isBefore ? tr("The detector is nearer to the source than the axis: one of the distances is wrong.")
                           : QString());
    m_takeCone->setEnabled(missing.isEmpty() && !isBefore);
    m_takeCone->setToolTip(m_takeCone->isEnabled() ? tr("Reconstruct the slices from a cone beam") : m_missing->text());
}

} // namespace ui
