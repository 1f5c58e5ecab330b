// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/save_volume_dialog.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/documents/queued_volume.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/request/section.h"
#include "ui/background/scan_names.h"
#include "ui/background/volume_preview.h"
#include "ui/saving/dialog_fields.h"
#include "ui/saving/disk_measurement.h"
#include "ui/saving/fit_buttons.h"
#include "ui/saving/volume_format_fields.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/engine_text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

namespace ui
{

using engine::OutputFormat;
using engine::OutputKind;

namespace
{

QString sizeText(double bytes)
{
    return QString::fromStdString(engine::sizeText(bytes));
}

const QString kindKey = QStringLiteral("volume/kind"), typeKey = QStringLiteral("volume/type"),
              rangeKey = QStringLiteral("volume/range"), compressionKey = QStringLiteral("volume/compression");

} // namespace

void VolumeChoice::save(QSettings& settings) const
{
    settings.setValue(kindKey, kind == OutputKind::folder ? QStringLiteral("folder") : QStringLiteral("hdf5"));
    settings.setValue(typeKey, QString::fromStdString(engine::toText(stored.type)));
    settings.setValue(rangeKey, stored.range ? QString::fromStdString(engine::toText(*stored.range)) : QString());
    settings.setValue(compressionKey, QString::fromStdString(engine::compressionToText(stored.deflateLevel)));
}

VolumeChoice VolumeChoice::restored(const QSettings& settings)
{
    const auto text = [&settings](const QString& key) { return settings.value(key).toString().toStdString(); };
    VolumeChoice choice;
    try {
        if (text(kindKey) == "folder")
            choice.kind = OutputKind::folder;
        if (settings.contains(typeKey))
            choice.stored.type = engine::outputTypeFromText(text(typeKey));
        if (!text(rangeKey).empty())
            choice.stored.range = engine::valueRangeFromText(text(rangeKey));
        if (settings.contains(compressionKey))
            choice.stored.deflateLevel = engine::compressionFromText(text(compressionKey));
    } catch (const engine::Error&) {
        return {}; // stored by an incompatible version, or edited by hand
    }
    return choice;
}

SaveVolumeDialog::SaveVolumeDialog(const Subject& subject, const QString& folder, const VolumeChoice& choice,
                                   QWidget* parent)
    : QDialog(parent), m_subject(subject), m_name(called(new QLineEdit, "volumeName", tr("Name"))),
      m_kind(called(new QComboBox, "volumeKind", tr("Files"))),
      m_format(std::make_unique<VolumeFormatFields>(choice.stored, subject.unit)),
      m_part(std::make_unique<PartFields>(subject.slices, subject.regions, subject.markedSlices)),
      m_facts(called(new QLabel, "volumeFacts", {})), m_needs(called(new QLabel, "volumeNeeds", {})),
      m_fits(std::make_unique<FitButtons>()),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel)),
      m_disks(std::make_unique<DiskMeasurement>())
{
    setWindowTitle(subject.setting.isEmpty() ? tr("Save the volume") : tr("Save the volume: %1").arg(subject.setting));
    m_kind->addItem(tr("One HDF5 file"), int(OutputKind::hdf5));
    m_kind->addItem(tr("Folder with one TIFF per slice"), int(OutputKind::folder));
    m_kind->setCurrentIndex(m_kind->findData(int(choice.kind)));
    m_name->setText(named(subject.name));

    layOut(folder);
    makeEnqueue();
    connectParts();
    check();
    resize(560, sizeHint().height());
    m_name->setFocus();
    m_name->setSelection(0, int(QFileInfo(m_name->text()).completeBaseName().size()));
}

SaveVolumeDialog::~SaveVolumeDialog() = default;

void SaveVolumeDialog::layOut(const QString& folder)
{
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Folder"), makeFolder(folder));
    form->addRow(tr("F&iles"), m_kind);
    form->addRow(tr("N&umbers"), m_format->type());
    form->addRow(tr("&Range"), m_format->rangeRow());
    form->addRow(tr("&Compression"), m_format->compressionRow());
    form->addRow(tr("S&lices"), m_part->slicesRow());
    form->addRow(tr("Re&gion"), m_part->region());
    for (const auto& [row, field] : {std::pair<int, QWidget*>{1, m_folder},
                                     {4, m_format->least()},
                                     {5, m_format->compression()},
                                     {6, m_part->first()}})
        qobject_cast<QLabel*>(form->itemAt(row, QFormLayout::LabelRole)->widget())->setBuddy(field);
    m_facts->setWordWrap(true);
    m_facts->setMinimumHeight(2 * m_facts->fontMetrics().lineSpacing()); // room for two lines, so that nothing moves
    m_facts->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_facts);
    m_needs->setWordWrap(true);
    m_needs->setTextFormat(Qt::PlainText);
    m_needs->setMinimumHeight(3 * m_needs->fontMetrics().lineSpacing());
    m_needs->setVisible(m_subject.request.scan != nullptr);
    layout->addWidget(m_needs);
    layout->addWidget(m_disks->busyRow());
    layout->addLayout(m_fits->layout());
    layout->addWidget(m_buttons);
}

void SaveVolumeDialog::connectParts()
{
    connect(m_buttons, &QDialogButtonBox::accepted, this, &SaveVolumeDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &SaveVolumeDialog::reject);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &SaveVolumeDialog::renamed);
    for (QLineEdit* edit : {m_name, m_folder})
        connect(edit, &QLineEdit::textChanged, this, &SaveVolumeDialog::check);
    connect(m_format.get(), &VolumeFormatFields::changed, this, &SaveVolumeDialog::check);
    connect(m_part.get(), &PartFields::changed, this, &SaveVolumeDialog::check);
    connect(m_fits.get(), &FitButtons::chosen, this, &SaveVolumeDialog::take);
    connect(m_disks.get(), &DiskMeasurement::wanted, this, &SaveVolumeDialog::measure);
    connect(m_disks.get(), &DiskMeasurement::measured, this, [this](const engine::VolumeRates& rates) {
        m_subject.rates.readBytes = rates.readBytes;
        m_subject.rates.writeBytes = rates.writeBytes;
        check();
    });
}

void SaveVolumeDialog::makeEnqueue()
{
    if (!m_subject.request.scan || m_subject.request.scan->path.empty())
        return;
    m_enqueue = m_buttons->addButton(tr("Add to &queue"), QDialogButtonBox::ActionRole);
    m_enqueue->setObjectName(QStringLiteral("volumeEnqueue"));
    connect(m_enqueue, &QPushButton::clicked, this, [this] {
        m_isForQueue = true;
        accept();
        m_isForQueue = result() == QDialog::Accepted;
    });
}

QWidget* SaveVolumeDialog::makeFolder(const QString& folder)
{
    m_folder = called(new QLineEdit(QDir::toNativeSeparators(folder)), "volumeFolder", tr("Folder"));
    auto* choose = new QPushButton(tr("C&hoose…"));
    choose->setAutoDefault(false);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Save the volume in"), this->folder());
        if (!chosen.isEmpty())
            m_folder->setText(QDir::toNativeSeparators(chosen));
    });
    auto* row = new QWidget;
    QHBoxLayout* layout = dialogRow(row);
    layout->addWidget(m_folder, 1);
    layout->addWidget(choose);
    return row;
}

VolumeChoice SaveVolumeDialog::choice() const
{
    return {OutputKind(m_kind->currentData().toInt()), m_format->choice()};
}

engine::VolumeOutput SaveVolumeDialog::output() const
{
    return {.path = path().toStdString(), .overwrite = m_overwrite, .stored = choice().stored};
}

QString SaveVolumeDialog::folder() const
{
    return QDir::fromNativeSeparators(m_folder->text().trimmed());
}

QString SaveVolumeDialog::path() const
{
    return QDir(folder()).filePath(named(QDir::fromNativeSeparators(m_name->text().trimmed())));
}

// Changes the name to match the chosen kind: the engine derives the kind of output from the name.
QString SaveVolumeDialog::named(const QString& name) const
{
    const auto kindOf = [](const QString& text) { return engine::outputKindOf(text.toStdString()); };
    QString made = name;
    if (m_kind->currentData().toInt() == int(OutputKind::hdf5))
        return kindOf(made) == OutputKind::hdf5 ? made : made + QStringLiteral(".h5");
    while (kindOf(made) != OutputKind::folder)
        made.truncate(made.lastIndexOf(QLatin1Char('.')));
    return made;
}

void SaveVolumeDialog::renamed()
{
    m_name->setText(named(m_name->text().trimmed()));
    check();
}

void SaveVolumeDialog::check()
{
    m_format->offer();
    bool possible = false;
    QString wrong;
    if (m_name->text().trimmed().isEmpty() || folder().isEmpty())
        wrong = tr("A name and a folder are needed.");
    else if (m_format->isRangeHalf())
        wrong = tr("Give both ends of the range, or leave both empty for the automatic one.");
    try {
        takePart();
        const OutputFormat format{.type = choice().stored.type, .range = {}};
        const double bytes =
            double(format.bytesPerValue()) * m_part->slices().count * m_subject.height * m_subject.width;
        QString size = sizeText(bytes);
        if (m_format->isCompressed())
            size = tr("%1 before compression").arg(size);
        const int slices = m_part->slices().count;
        const QString facts = tr("%1 of %2 × %3 pixels · %4")
                                  .arg(slices == 1 ? tr("one slice") : tr("%1 slices").arg(groupedText(slices)),
                                       groupedText(m_subject.width), groupedText(m_subject.height), size);
        m_facts->setText(m_subject.setting.isEmpty() ? facts : tr("Setting %1 · %2").arg(m_subject.setting, facts));
        if (wrong.isEmpty())
            possible = showNeeds();
    } catch (...) {
        if (wrong.isEmpty())
            wrong = messageOfCurrentException();
    }
    if (!wrong.isEmpty())
        m_facts->setText(wrong);
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(possible);
    if (!m_enqueue)
        return;
    m_enqueue->setEnabled(possible && m_part->isWhole());
    m_enqueue->setToolTip(m_part->isWhole() ? tr("Adds the volume at the end of the queue")
                                            : tr("The queue takes whole volumes only: all slices, without a region"));
}

bool SaveVolumeDialog::showNeeds()
{
    if (!m_subject.request.scan)
        return true;
    engine::VolumeOutput wanted = output();
    wanted.overwrite = true; // accept() asks before
    const engine::VolumeNeeds needs = engine::needsOf(m_subject.request, wanted);
    QStringList lines;
    for (const engine::Text& why : needs.impossible)
        lines << tr("✕ %1").arg(inWindow(why));
    for (const engine::Text& doubt : needs.doubts)
        lines << tr("? %1").arg(inWindow(doubt));
    const std::string name = nameOf(*m_subject.request.scan).toStdString();
    const int stored = engine::canResume(output()) ? engine::storedSlices(wanted.path, name) : 0;
    if (stored > 0)
        lines << tr("✓ %n slices of an interrupted run are stored; saving continues after them", nullptr, stored);
    if (needs.impossible.empty()) {
        if (needs.doubts.empty() && needs.freeBytes)
            lines << tr("✓ Disk: %1, %2 are free").arg(sizeText(needs.outputBytes), sizeText(*needs.freeBytes));
        else if (needs.doubts.empty())
            lines << tr("? Disk: %1; the free space is unknown").arg(sizeText(needs.outputBytes));
        lines << tr("✓ Memory: up to %1 of %2").arg(sizeText(needs.plan.bytes), sizeText(needs.plan.limitBytes));
        lines << timeText(needs);
    }
    m_needs->setText(lines.join(QLatin1Char('\n')));
    m_fits->offer(needs.fits);
    m_disks->follow(measuredKey());
    return needs.impossible.empty();
}

void SaveVolumeDialog::take(const engine::Fit& fit)
{
    if (fit.reduction) {
        m_wantedFit = fit;
        return reject();
    }
    m_part->set(fit.slices ? fit.slices : m_part->slices(), fit.region ? fit.region : m_part->chosenRegion());
}

void SaveVolumeDialog::takePart()
{
    if (!m_subject.request.scan)
        return;
    engine::Place place = m_subject.request.place;
    place.setSlices(m_part->slices());
    place.setRegion(m_part->chosenRegion());
    m_subject.request = partOf(m_subject.request, place);
    const engine::VolumeGrid grid = engine::sectionOf(m_subject.request).grid;
    m_subject.height = grid.height;
    m_subject.width = grid.width;
}

QString SaveVolumeDialog::timeText(const engine::VolumeNeeds& needs) const
{
    const engine::VolumeRates& rates = m_subject.rates;
    const engine::VolumeTime time = engine::timeOf(m_subject.request, needs, rates);
    if (rates.computeSeconds <= 0)
        return tr("? Time: unknown until an image is reconstructed");
    if (rates.writeBytes <= 0)
        return m_disks->isPending()
                   ? tr("… Time: %1 plus the time of the disks, which are being measured")
                         .arg(secondsText(time.seconds))
                   : tr("? Time: %1 plus the time of the disk, which can't be measured").arg(secondsText(time.seconds));
    if (time.seconds < 1)
        return tr("✓ Time: about a second");
    return tr("✓ Time: up to %1; reading %2, computing %3 at the speed of a single slice, writing %4")
        .arg(secondsText(time.seconds), secondsText(time.read), secondsText(time.prepare + time.compute),
             secondsText(time.write));
}

QString SaveVolumeDialog::measuredKey() const
{
    return folder() + QLatin1Char(' ') + QString::number(m_kind->currentData().toInt());
}

void SaveVolumeDialog::measure()
{
    m_disks->start(measuredKey(), m_subject.request, path().toStdString());
}

void SaveVolumeDialog::accept()
{
    const QFileInfo there(path());
    const bool replaces = there.isFile();
    if (replaces && QMessageBox::question(this, tr("Replace?"),
                                          tr("%1 exists. Replace it?").arg(QDir::toNativeSeparators(there.filePath())),
                                          QMessageBox::Yes | QMessageBox::No, QMessageBox::No) != QMessageBox::Yes)
        return;
    m_overwrite = replaces;
    QDialog::accept();
}

} // namespace ui
