#include "ui/saving/save_volume_dialog.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/slices/slice_writer.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/displayed_number.h"

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
#include <QSpinBox>

namespace ui
{

using engine::OutputFormat;
using engine::OutputKind;

namespace
{

struct Described {
    QString label, summary;
};

Described described(OutputFormat::Type type)
{
    switch (type) {
    case OutputFormat::Type::float32:
        return {SaveVolumeDialog::tr("32-bit floats"), SaveVolumeDialog::tr("The values as they were computed")};
    case OutputFormat::Type::half:
        return {SaveVolumeDialog::tr("16-bit floats (halves)"),
                SaveVolumeDialog::tr("Half the bytes: 11 binary digits of each value, up to 65504")};
    default:
        return {SaveVolumeDialog::tr("16-bit whole numbers"),
                SaveVolumeDialog::tr("Half the bytes: 65536 even steps of a range, which is stored with them")};
    }
}

QHBoxLayout* rowOf(QWidget* row)
{
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

template <typename Widget>
Widget* called(Widget* widget, const char* name, const QString& accessible)
{
    widget->setObjectName(QLatin1String(name));
    widget->setAccessibleName(accessible);
    return widget;
}

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
        return {}; // of another version, or edited by hand
    }
    return choice;
}

SaveVolumeDialog::SaveVolumeDialog(const Subject& subject, const QString& folder, const VolumeChoice& choice,
                                   QWidget* parent)
    : QDialog(parent), m_subject(subject), m_name(called(new QLineEdit, "volumeName", tr("Name"))),
      m_kind(called(new QComboBox, "volumeKind", tr("Files"))),
      m_type(called(new QComboBox, "volumeType", tr("Numbers"))), m_facts(called(new QLabel, "volumeFacts", {})),
      m_needs(called(new QLabel, "volumeNeeds", {})),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Save the volume"));
    m_kind->addItem(tr("One HDF5 file"), int(OutputKind::hdf5));
    m_kind->addItem(tr("Folder with a TIFF a slice"), int(OutputKind::folder));
    m_kind->setCurrentIndex(m_kind->findData(int(choice.kind)));
    m_name->setText(named(subject.name));
    for (const OutputFormat::Type type : engine::outputTypes()) {
        const auto [label, summary] = described(type);
        m_type->addItem(label, int(type));
        m_type->setItemData(m_type->count() - 1, summary, Qt::ToolTipRole);
    }
    m_type->setCurrentIndex(m_type->findData(int(choice.stored.type)));

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&Folder"), makeFolder(folder));
    form->addRow(tr("F&iles"), m_kind);
    form->addRow(tr("N&umbers"), m_type);
    form->addRow(tr("&Range"), makeRange(choice));
    form->addRow(tr("&Compression"), makeCompression(choice.stored.deflateLevel));
    for (const auto& [row, field] : {std::pair<int, QWidget*>{1, m_folder}, {4, m_least}, {5, m_compression}})
        qobject_cast<QLabel*>(form->itemAt(row, QFormLayout::LabelRole)->widget())->setBuddy(field);
    m_facts->setWordWrap(true);
    m_facts->setMinimumHeight(2 * m_facts->fontMetrics().lineSpacing()); // nothing moves where it takes two lines
    m_facts->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_facts);
    m_needs->setWordWrap(true);
    m_needs->setTextFormat(Qt::PlainText);
    m_needs->setMinimumHeight(3 * m_needs->fontMetrics().lineSpacing());
    m_needs->setVisible(m_subject.request.scan != nullptr);
    layout->addWidget(m_needs);
    m_fits = new QVBoxLayout;
    m_fits->setSpacing(2);
    layout->addLayout(m_fits);
    layout->addWidget(m_buttons);
    makeEnqueue();

    connect(m_buttons, &QDialogButtonBox::accepted, this, &SaveVolumeDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &SaveVolumeDialog::reject);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &SaveVolumeDialog::renamed);
    for (QLineEdit* edit : {m_name, m_folder, m_least, m_most})
        connect(edit, &QLineEdit::textChanged, this, &SaveVolumeDialog::check);
    for (QComboBox* combo : {m_type, m_compression})
        connect(combo, &QComboBox::currentIndexChanged, this, &SaveVolumeDialog::check);
    check();
    resize(560, sizeHint().height());
    m_name->setFocus();
    m_name->setSelection(0, int(QFileInfo(m_name->text()).completeBaseName().size()));
}

void SaveVolumeDialog::makeEnqueue()
{
    m_measureSoon.setSingleShot(true);
    m_measureSoon.setInterval(300);
    connect(&m_measureSoon, &QTimer::timeout, this, &SaveVolumeDialog::measure);
    if (!m_subject.request.scan || m_subject.request.scan->path.empty())
        return;
    m_enqueue = m_buttons->addButton(tr("Add to &queue"), QDialogButtonBox::ActionRole);
    m_enqueue->setObjectName(QStringLiteral("volumeEnqueue"));
    m_enqueue->setToolTip(tr("It waits for its turn behind the volumes that wait already"));
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
    QHBoxLayout* layout = rowOf(row);
    layout->addWidget(m_folder, 1);
    layout->addWidget(choose);
    return row;
}

QWidget* SaveVolumeDialog::makeRange(const VolumeChoice& choice)
{
    m_least = called(new QLineEdit, "volumeLeast", tr("Value that 0 stands for"));
    m_most = called(new QLineEdit, "volumeMost", tr("Value that 65535 stands for"));
    if (choice.stored.range) {
        const QStringList ends = QString::fromStdString(engine::toText(*choice.stored.range)).split(QLatin1Char(':'));
        m_least->setText(ends[0]);
        m_most->setText(ends[1]);
    }
    for (QLineEdit* edit : {m_least, m_most}) {
        edit->setPlaceholderText(tr("automatic"));
        edit->setToolTip(tr("What the whole numbers 0 and 65535 stand for; values beyond become the ends. Automatic: "
                            "the range of the middle slice and 5 % more on each side"));
    }
    auto* row = new QWidget;
    QHBoxLayout* layout = rowOf(row);
    layout->addWidget(m_least, 1);
    layout->addWidget(new QLabel(tr("to")));
    layout->addWidget(m_most, 1);
    layout->addWidget(new QLabel(m_subject.unit));
    return row;
}

QWidget* SaveVolumeDialog::makeCompression(int level)
{
    m_compression = called(new QComboBox, "volumeCompression", tr("Compression"));
    m_compression->addItem(tr("None, fastest"), false);
    m_compression->addItem(tr("Deflate, without loss"), true);
    m_compression->setCurrentIndex(level > 0 ? 1 : 0);
    m_level = called(new QSpinBox, "volumeLevel", tr("Level of compression"));
    m_level->setRange(1, OutputFormat::mostDeflate);
    m_level->setValue(std::max(level, 1));
    m_level->setPrefix(tr("level "));
    m_level->setToolTip(tr("1 is fast, %1 makes the smallest files").arg(OutputFormat::mostDeflate));
    auto* row = new QWidget;
    QHBoxLayout* layout = rowOf(row);
    layout->addWidget(m_compression, 1);
    layout->addWidget(m_level);
    return row;
}

VolumeChoice SaveVolumeDialog::choice() const
{
    VolumeChoice choice;
    choice.kind = OutputKind(m_kind->currentData().toInt());
    choice.stored.type = OutputFormat::Type(m_type->currentData().toInt());
    choice.stored.deflateLevel = m_compression->currentData().toBool() ? m_level->value() : 0;
    const QString least = m_least->text().trimmed(), most = m_most->text().trimmed();
    if (whole() && !(least.isEmpty() && most.isEmpty()))
        choice.stored.range = engine::valueRangeFromText((least + QLatin1Char(':') + most).toStdString());
    return choice;
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

bool SaveVolumeDialog::whole() const
{
    return m_type->currentData().toInt() == int(OutputFormat::Type::uint16);
}

// The name decides what the engine writes, so it is made to say what was chosen.
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
    m_least->setEnabled(whole());
    m_most->setEnabled(whole());
    m_level->setEnabled(m_compression->currentData().toBool());
    bool possible = false;
    QString wrong;
    if (m_name->text().trimmed().isEmpty() || folder().isEmpty())
        wrong = tr("A name and a folder are needed.");
    else if (whole() && m_least->text().trimmed().isEmpty() != m_most->text().trimmed().isEmpty())
        wrong = tr("A range has two ends; leave both empty for the automatic one.");
    try {
        const OutputFormat format{.type = choice().stored.type, .range = {}};
        const double bytes = double(format.bytesPerValue()) * m_subject.slices * m_subject.height * m_subject.width;
        QString size = sizeText(bytes);
        if (m_compression->currentData().toBool())
            size = tr("%1 before compression").arg(size);
        m_facts->setText(
            tr("%1 slices of %2 × %3 pixels · %4")
                .arg(groupedText(m_subject.slices), groupedText(m_subject.width), groupedText(m_subject.height), size));
        if (wrong.isEmpty())
            possible = showNeeds();
    } catch (...) {
        if (wrong.isEmpty())
            wrong = messageOfCurrentException();
    }
    if (!wrong.isEmpty())
        m_facts->setText(wrong);
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(possible);
    if (m_enqueue)
        m_enqueue->setEnabled(possible && !m_isPart); // what waits is of whole scans
}

bool SaveVolumeDialog::showNeeds()
{
    if (!m_subject.request.scan)
        return true;
    engine::VolumeOutput wanted = output();
    wanted.overwrite = true; // accept() asks
    const engine::VolumeNeeds needs = engine::needsOf(m_subject.request, wanted);
    QStringList lines;
    for (const std::string& why : needs.impossible)
        lines << tr("✕ %1").arg(QString::fromStdString(why));
    for (const std::string& doubt : needs.doubts)
        lines << tr("? %1").arg(QString::fromStdString(doubt));
    if (needs.impossible.empty()) {
        if (needs.doubts.empty() && needs.freeBytes)
            lines << tr("✓ Disk: %1, %2 are free").arg(sizeText(needs.outputBytes), sizeText(*needs.freeBytes));
        else if (needs.doubts.empty())
            lines << tr("? Disk: %1, of one that doesn't say what is free").arg(sizeText(needs.outputBytes));
        lines << tr("✓ Memory: up to %1 of %2").arg(sizeText(needs.plan.bytes), sizeText(needs.plan.limitBytes));
        lines << timeText(needs);
    }
    m_needs->setText(lines.join(QLatin1Char('\n')));
    offer(needs.fits);
    if (m_measured != measuredKey())
        m_measureSoon.start();
    return needs.impossible.empty();
}

void SaveVolumeDialog::offer(const std::vector<engine::Fit>& fits)
{
    std::vector<std::string> offered;
    for (const engine::Fit& fit : fits)
        offered.push_back(fit.option + fit.takes);
    if (offered == m_offered)
        return; // the buttons stay, with what has the focus
    m_offered = std::move(offered);
    while (QLayoutItem* item = m_fits->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const engine::Fit& fit : fits) {
        auto* button = new QPushButton(tr("%1 → %2").arg(tr(fit.label.c_str()), QString::fromStdString(fit.takes)));
        button->setObjectName(QStringLiteral("volumeFit%1").arg(m_fits->count()));
        button->setAutoDefault(false);
        button->setToolTip(fit.reduction ? tr("Opens the scan so, and asks again") : tr("Saves that part alone"));
        connect(button, &QPushButton::clicked, this, [this, fit] { take(fit); });
        m_fits->addWidget(button);
    }
}

void SaveVolumeDialog::take(const engine::Fit& fit)
{
    if (fit.reduction) {
        m_wantedFit = fit;
        return reject();
    }
    m_isPart = true;
    engine::Place& place = m_subject.request.place;
    if (fit.region)
        place.region = fit.region;
    if (fit.slices)
        place.slices = *fit.slices;
    const engine::VolumeGrid grid = engine::gridOf(m_subject.request);
    m_subject.slices = grid.slices;
    m_subject.height = grid.height;
    m_subject.width = grid.width;
    check();
}

QString SaveVolumeDialog::timeText(const engine::VolumeNeeds& needs) const
{
    const engine::VolumeRates& rates = m_subject.rates;
    const engine::VolumeTime time = engine::timeOf(m_subject.request, needs, rates);
    if (rates.computeSeconds <= 0)
        return tr("? Time: not known before an image was made");
    if (rates.writeBytes <= 0)
        return m_measuring.busy() || m_measureSoon.isActive() || m_measured.isEmpty()
                   ? tr("… Time: %1 and what the disks take, which are being measured").arg(secondsText(time.seconds))
                   : tr("? Time: %1 and what the disk takes, which can't be measured").arg(secondsText(time.seconds));
    return tr("✓ Time: about %1; reading %2, computing %3, writing %4")
        .arg(secondsText(time.seconds), secondsText(time.read), secondsText(time.prepare + time.compute),
             secondsText(time.write));
}

QString SaveVolumeDialog::measuredKey() const
{
    return folder() + QLatin1Char(' ') + QString::number(m_kind->currentData().toInt());
}

void SaveVolumeDialog::measure()
{
    m_measured = measuredKey();
    const auto rates = std::make_shared<engine::VolumeRates>();
    m_measuring.start([rates, request = m_subject.request, to = std::filesystem::path(path().toStdString())](
                          std::stop_token stop,
                          const BackgroundTask::Progress&) { *rates = engine::measureDisks(request, to, stop); },
                      [this, rates] {
                          m_subject.rates.readBytes = rates->readBytes;
                          m_subject.rates.writeBytes = rates->writeBytes;
                          check();
                      });
}

void SaveVolumeDialog::accept()
{
    const QFileInfo there(path());
    const bool replaces = there.isFile();
    if (replaces &&
        QMessageBox::question(this, tr("Replace?"),
                              tr("%1 exists. Replace it?").arg(QDir::toNativeSeparators(there.filePath()))) !=
            QMessageBox::Yes)
        return;
    m_overwrite = replaces;
    QDialog::accept();
}

} // namespace ui
