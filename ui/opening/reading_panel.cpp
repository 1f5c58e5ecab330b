// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/reading_panel.h"

#include "engine/base/error.h"
#include "engine/documents/opening_way.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/opening/angles_field.h"
#include "ui/opening/open_rows.h"
#include "ui/opening/path_field.h"
#include "ui/opening/raw_group.h"
#include "ui/opening/slice_fields.h"
#include "ui/widgets/engine_text.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui
{

namespace
{

// Returns "Reading: angles 0:180", or how many options differ from the defaults.
QString titleOf(const engine::OpenOptions& opened)
{
    const QString words = QString::fromStdString(engine::inWords({.opened = opened}));
    const QStringList parts = words.split(QStringLiteral(", "), Qt::SkipEmptyParts);
    constexpr qsizetype mostLetters = 22;
    return parts.isEmpty() ? ReadingPanel::tr("Reading")
           : parts.size() == 1 && parts.front().size() <= mostLetters
               ? ReadingPanel::tr("Reading: %1").arg(words)
               : ReadingPanel::tr("Reading: %1 changed").arg(parts.size());
}

} // namespace

ReadingPanel::ReadingPanel(int labelWidth, QWidget* parent)
    : QWidget(parent), m_raw(new RawGroup), m_angles(new AnglesField(labelWidth)), m_rows(std::make_unique<OpenRows>()),
      m_geometry(new PathField("geometryFile", tr("Geometry file: RTK, Nikon, JSON or projection matrices"),
                               PathField::Takes::files)),
      m_slices(std::make_unique<SliceFields>()), m_name(new QLabel), m_problem(new QLabel),
      m_back(new QPushButton(tr("Revert"))), m_dataSets(new QPushButton(tr("Data sets…"))),
      m_found(new QPushButton(tr("Scan contents…"))), m_transpose(new QPushButton(tr("Transpose")))
{
    setObjectName(QStringLiteral("reading"));
    setAccessibleName(tr("How the scan is read"));
    describeButtons();
    layOut(labelWidth);
    connectFields();
    connectButtons();
    show(nullptr, {});
}

ReadingPanel::~ReadingPanel() = default;

void ReadingPanel::connectFields()
{
    connect(m_angles, &AnglesField::changed, this,
            [this] { want([this](engine::OpenOptions& said) { m_angles->applyTo(said); }); });
    connect(m_raw->field(), &RawField::wanted, this,
            [this] { want([this](engine::OpenOptions& said) { said.raw = m_raw->field()->layout(); }); });
    connect(m_geometry, &PathField::changed, this, [this] {
        want([this](engine::OpenOptions& said) {
            said.geometryFile = m_geometry->path();
            said.beam.reset(); // the new geometry file decides
            const auto pixel = said.cone.pixelUMm;
            said.cone = {}; // belongs to the previous geometry
            said.cone.pixelUMm = pixel;
        });
    });
    connect(m_slices.get(), &SliceFields::changed, this, &ReadingPanel::want);
    connect(m_rows.get(), &OpenRows::changed, this, [this](const OpenChange& change) {
        engine::OpenOptions next = m_said;
        try {
            change(next);
        } catch (const engine::Error& error) {
            return showProblem(inWindow(error.text()));
        }
        if (next != m_said)
            want(change);
    });
}

void ReadingPanel::connectButtons()
{
    connect(m_transpose, &QPushButton::clicked, this,
            [this] { want([this](engine::OpenOptions& said) { said = engine::withExchangedAxes(said, *m_scan); }); });
    connect(m_found, &QPushButton::clicked, this, &ReadingPanel::foundWanted);
    connect(m_dataSets, &QPushButton::clicked, this, [this] { emit dataSetsWanted(m_path, m_said); });
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_said = m_held;
        if (m_scan)
            m_path = QString::fromStdString(m_scan->path);
        showFields();
        showProblem({});
    });
}

void ReadingPanel::layOut(int labelWidth)
{
    m_problem->setObjectName(QStringLiteral("readingProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_back->setObjectName(QStringLiteral("readingBack"));
    m_back->setToolTip(tr("The values that the scan is open with"));
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    for (QWidget* part :
         {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_problem), static_cast<QWidget*>(m_back),
          static_cast<QWidget*>(m_raw), static_cast<QWidget*>(m_angles), makeGrid(labelWidth)})
        column->addWidget(part);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_found, m_dataSets, m_transpose})
        buttons->addWidget(button);
    buttons->addStretch(1);
    column->addLayout(buttons);
}

// The tab order follows the order in which the fields are added.
QWidget* ReadingPanel::makeGrid(int labelWidth)
{
    auto* group = new QWidget;
    auto* grid = new QGridLayout(group);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(0, labelWidth);
    grid->setColumnStretch(1, 1);
    const auto add = [grid](const LabelledField& field) { field.addTo(grid, grid->rowCount(), 0); };
    add(m_slices->pixel());
    add(m_slices->size());
    add(m_slices->outputPixel());
    add(m_slices->rotation());
    add(labelled(tr("Geometry"), m_geometry));
    for (const char* id : {"darks", "flats", "shifts", "bin", "every", "leave-out", "flat-frames", "dark-frames"})
        add(m_rows->row(id));
    m_rows->addOthers(grid);
    return group;
}

void ReadingPanel::describeButtons()
{
    m_found->setObjectName(QStringLiteral("foundButton"));
    m_found->setToolTip(tr("A table of what was found in the scan and what is missing, with images"));
    m_dataSets->setObjectName(QStringLiteral("dataSetsButton"));
    m_dataSets->setToolTip(tr("Which data sets of the HDF5 file are the projections, angles, flats and darks"));
    m_transpose->setObjectName(QStringLiteral("transposeButton"));
    m_transpose->setToolTip(tr("Exchange projections and bins (for sinogram images, projections and rows): the file "
                               "doesn't name its dimensions"));
}

void ReadingPanel::show(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith)
{
    m_scan = std::move(scan);
    m_held = m_said = openedWith;
    m_path = m_scan ? QString::fromStdString(m_scan->path) : QString();
    showFields();
    showProblem({});
}

void ReadingPanel::ask(const QString& path, const engine::OpenOptions& openedWith)
{
    m_path = path;
    m_said = openedWith;
    showFields();
    showProblem({});
    m_back->setVisible(m_scan != nullptr);
    comeForward();
}

void ReadingPanel::askForShape(const QString& path, const engine::OpenOptions& openedWith)
{
    engine::OpenOptions shapeless = openedWith;
    shapeless.raw.emplace();
    ask(path, shapeless);
    m_raw->field()->setFocus();
}

void ReadingPanel::askForAngles()
{
    comeForward();
    m_angles->askForFile();
}

void ReadingPanel::askForPixel()
{
    comeForward();
    m_slices->pixel().field->setFocus();
}

void ReadingPanel::showFields()
{
    const bool isOfTheScan = m_scan && m_path.toStdString() == m_scan->path;
    const engine::Scan* scan = isOfTheScan ? m_scan.get() : nullptr;
    m_name->setVisible(!isOfTheScan && !m_path.isEmpty());
    m_name->setText(tr("%1 isn't open yet.").arg(QFileInfo(m_path).fileName()));
    m_raw->setVisible(m_said.raw.has_value());
    if (m_said.raw)
        m_raw->show(m_path, m_held.raw && isOfTheScan ? m_said.raw : std::nullopt);
    const QString folder = QFileInfo(m_path).absolutePath();
    m_angles->setFolder(folder);
    m_rows->setFolder(folder);
    m_geometry->setFolder(folder);
    m_angles->show(m_said, scan);
    m_geometry->show(m_said.geometryFile,
                     scan && !scan->geometryFile.empty()
                         ? QString::fromStdString(scan->geometryFile.filename().string()) + tr(", beside the scan")
                         : tr("from file"));
    m_rows->show(m_said, scan);
    m_dataSets->setVisible(!m_said.raw && engine::hasDataSets(m_path.toStdString()));
    m_found->setVisible(scan != nullptr);
    m_transpose->setVisible(scan && !scan->exchangedAxes.empty());
    m_slices->show(m_said, scan);
    emit titled(m_path.isEmpty() ? QString() : titleOf(m_held));
}

// Adds a change to those that were made since the scan was opened.
void ReadingPanel::want(const OpenChange& change)
{
    change(m_said);
    if (m_said == m_held && m_scan && m_path.toStdString() == m_scan->path)
        return showProblem({});
    // A layout that is still empty is requested later, by the button of its fields.
    const bool isShapeless = m_said.raw && *m_said.raw == engine::RawLayout();
    if (!isShapeless)
        emit wanted(m_path, m_said);
}

void ReadingPanel::showProblem(const QString& message)
{
    m_problem->setText(message);
    m_problem->setVisible(!message.isEmpty());
    m_back->setVisible(!message.isEmpty() && m_scan);
    if (!message.isEmpty())
        comeForward();
}

} // namespace ui
