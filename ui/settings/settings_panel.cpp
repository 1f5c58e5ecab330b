#include "ui/settings/settings_panel.h"

#include "engine/error.h"
#include "engine/machine.h"
#include "engine/options.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double gib = 1 << 30;

double machineGib()
{
    return engine::machineMemoryBytes() / gib;
}

QLabel* heading(const QString& text)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QFrame* separator()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

// A row's label, summary and so on, in the user's language.
QString translated(const std::string& text)
{
    return SettingsPanel::tr(text.c_str());
}

void fill(ChoiceCombo* combo, const engine::Option& option)
{
    for (const engine::OptionChoice& choice : option.choices)
        combo->addChoice(translated(choice.label), QString::fromStdString(choice.id), translated(choice.summary));
}

// What belongs to a scan or to one start of the program isn't kept.
bool kept(const engine::Option& option)
{
    const std::string id = option.id;
    return id != "region" && id != "threads";
}

// What the table of options says of a field.
void describe(QWidget* field, const engine::Option& option)
{
    field->setObjectName(QLatin1String(option.id));
    field->setAccessibleName(translated(option.label));
    field->setToolTip(translated(option.summary));
}

} // namespace

SettingsPanel::SettingsPanel(QWidget* parent)
    : QWidget(parent), m_a(new ChoiceGroup(QStringLiteral("A"), true)),
      m_b(new ChoiceGroup(QStringLiteral("B"), false)), m_window(new ChoiceCombo), m_cutoff(new QDoubleSpinBox),
      m_order(new QSpinBox), m_edge(new QCheckBox(tr("Extend the edges"))), m_axis(new AxisEdit),
      m_device(new ChoiceCombo), m_memory(new QDoubleSpinBox), m_compare(new ChoiceCombo)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(heading(tr("Setting A")));
    layout->addWidget(m_a);
    layout->addWidget(separator());
    layout->addWidget(settingRows(m_a->labelWidth()));
    layout->addWidget(separator());

    auto* compareLabel = heading(tr("&Compare with"));
    compareLabel->setBuddy(m_compare);
    layout->addWidget(compareLabel);
    m_compare->addChoice(tr("Reference (exact)"), QStringLiteral("reference"),
                         tr("B is the exact image: double precision throughout, linear interpolation"));
    m_compare->addChoice(tr("Second setting"), QStringLiteral("second"), tr("B is another choice of the four"));
    m_compare->setAccessibleName(tr("Compare with"));
    m_compare->setToolTip(tr("What image B shows"));
    m_compare->setObjectName(QStringLiteral("compare"));
    layout->addWidget(m_compare);
    layout->addWidget(m_b);
    m_b->hide();
    layout->addStretch(1);

    auto* reset = new QPushButton(tr("Reset to defaults"));
    reset->setToolTip(tr("All settings on this side as they were at the first start"));
    reset->setObjectName(QStringLiteral("reset"));
    layout->addWidget(reset);

    connect(m_a, &ChoiceGroup::changed, this, &SettingsPanel::react);
    connect(m_b, &ChoiceGroup::changed, this, &SettingsPanel::react);
    connect(m_window, &QComboBox::currentIndexChanged, this, &SettingsPanel::react);
    connect(m_cutoff, &QDoubleSpinBox::valueChanged, this, &SettingsPanel::react);
    connect(m_order, &QSpinBox::valueChanged, this, &SettingsPanel::react);
    connect(m_edge, &QCheckBox::toggled, this, &SettingsPanel::react);
    connect(m_axis, &AxisEdit::changed, this, &SettingsPanel::react);
    connect(m_device, &QComboBox::currentIndexChanged, this, [this] {
        m_wantedDevice = device();
        react();
    });
    connect(m_compare, &QComboBox::currentIndexChanged, this, [this] {
        m_b->setVisible(m_compare->currentIndex() == 1);
        react();
    });
    connect(reset, &QPushButton::clicked, this, [this] {
        this->reset();
        emit changed();
    });
    setDevices({});
}

void SettingsPanel::describeFields()
{
    const engine::Request standard;
    const engine::Option &window = engine::option("filter"), &cutoff = engine::option("cutoff"),
                         &order = engine::option("order");
    fill(m_window, window);
    describe(m_window, window);
    describe(m_cutoff, cutoff);
    m_cutoff->setRange(cutoff.leastIncluded ? cutoff.least : cutoff.least + 0.01, cutoff.most);
    m_cutoff->setSingleStep(0.05);
    m_cutoff->setDecimals(2);
    m_cutoff->setValue(standard.setting.filter.cutoff);
    m_cutoff->setSuffix(QLatin1Char(' ') + translated(cutoff.unit));
    m_cutoff->setKeyboardTracking(false);
    describe(m_order, order);
    m_order->setRange(int(order.least), int(order.most));
    m_order->setValue(standard.setting.filter.order);
    m_order->setKeyboardTracking(false);
    m_order->hide();
    m_edge->setToolTip(
        tr("Pads the projections with their edge values instead of zeros: for objects wider than the detector"));
    m_edge->setObjectName(QStringLiteral("edge"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setToolTip(tr("What computes"));
    m_device->setObjectName(QStringLiteral("device"));
    m_memory->setRange(0.25, std::max(0.25, machineGib()));
    m_memory->setSingleStep(0.5);
    m_memory->setDecimals(2);
    m_memory->setValue(machineGib() / 2);
    m_memory->setSuffix(tr(" GiB"));
    m_memory->setKeyboardTracking(false);
    m_memory->setAccessibleName(tr("Memory limit"));
    m_memory->setToolTip(tr("What Sinoscope may take while it saves a volume; this machine has %1 GiB")
                             .arg(QLocale().toString(machineGib(), 'f', 1)));
    m_memory->setObjectName(QStringLiteral("memory"));
}

QWidget* SettingsPanel::settingRows(int labelWidth)
{
    describeFields();
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth);
    const auto add = [grid](const QString& text, QWidget* field, QWidget* buddy, const QString& tooltip) {
        auto* label = new QLabel(text);
        label->setBuddy(buddy);
        label->setToolTip(tooltip);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(field, row, 1);
        label->setMinimumHeight(buddy->sizeHint().height()); // text level with the field's
    };
    auto* windowRow = new QWidget;
    auto* windowLayout = new QHBoxLayout(windowRow);
    windowLayout->setContentsMargins(0, 0, 0, 0);
    windowLayout->addWidget(m_window, 1);
    windowLayout->addWidget(m_order);
    add(tr("Fi&lter"), windowRow, m_window, m_window->toolTip());
    add(tr("C&ut-off"), m_cutoff, m_cutoff, m_cutoff->toolTip());
    add(QString(), m_edge, m_edge, QString());
    add(tr("A&xis"), m_axis, m_axis->modeCombo(), tr("Where the rotation axis is"));
    add(tr("&Device"), m_device, m_device, m_device->toolTip());
    add(tr("Memor&y"), m_memory, m_memory, m_memory->toolTip());
    return rows;
}

void SettingsPanel::setScan(std::shared_ptr<const engine::Scan> scan)
{
    m_scan = std::move(scan);
    m_axis->setScan(m_scan.get());
    offer();
}

void SettingsPanel::setDevices(const engine::CudaDevices& devices)
{
    {
        const QSignalBlocker blocker(m_device);
        m_device->clear();
        m_device->addChoice(tr("Automatic"), QStringLiteral("auto"),
                            tr("An NVIDIA GPU where there is one, else the processor"));
        m_device->addChoice(tr("Processor"), QStringLiteral("cpu"), tr("All cores of the processor"));
        for (const engine::CudaDevice& gpu : devices.devices)
            m_device->addChoice(QString::fromStdString(gpu.name) +
                                    (devices.devices.size() > 1 ? tr(" · GPU %1").arg(gpu.index) : QString()),
                                QString::fromStdString(engine::toText(
                                    engine::DeviceSettings{engine::DeviceSettings::Kind::cuda, gpu.index})),
                                tr("GPU %1 · compute capability %2.%3 · %4 GB")
                                    .arg(gpu.index)
                                    .arg(gpu.computeMajor)
                                    .arg(gpu.computeMinor)
                                    .arg(gpu.memoryBytes / 1e9, 0, 'f', 0));
        if (devices.devices.empty()) {
            m_device->addChoice(tr("NVIDIA GPU"), QStringLiteral("none"));
            m_device->setImpossible(
                m_device->count() - 1,
                devices.reason.empty()
                    ? tr("No NVIDIA GPU was found.")
                    : tr("No NVIDIA GPU can be used: %1").arg(QString::fromStdString(devices.reason)));
        }
    }
    m_device->select(QString::fromStdString(engine::toText(m_wantedDevice)));
    offer();
}

engine::FilterSettings SettingsPanel::filter() const
{
    engine::FilterSettings filter;
    filter.window = engine::windowFromText(m_window->currentData().toString().toStdString());
    filter.cutoff = m_cutoff->value();
    filter.order = m_order->value();
    filter.padMode = m_edge->isChecked() ? engine::PadMode::edge : engine::PadMode::zero;
    return filter;
}

engine::DeviceSettings SettingsPanel::device() const
{
    const std::string text = m_device->currentData().toString().toStdString();
    return text.empty() || text == "none" ? engine::DeviceSettings{} : engine::deviceFromText(text);
}

engine::Request SettingsPanel::requestWith(const Choices& choices, int slice) const
{
    engine::Request request = m_rest;
    request.scan = m_scan;
    choices.applyTo(request);
    request.setting.filter = filter();
    request.setting.axis = m_axis->axis();
    request.resources.device = device();
    // Half of the machine's is what the program takes by itself.
    const bool chosen = std::abs(m_memory->value() - machineGib() / 2) > 0.01;
    request.resources.memoryLimitBytes = chosen ? std::round(m_memory->value() * gib) : 0;
    // The group of slices that contains the shown one, moved back where it would pass the last.
    const int rows = m_scan ? m_scan->rows : 1;
    const int count = std::min(choices.slicesPerPass, rows);
    request.place.slices = {std::min(slice / count * count, rows - count), count};
    return request;
}

engine::Request SettingsPanel::request(int slice) const
{
    return requestWith(m_a->choices(), slice);
}

std::optional<engine::Request> SettingsPanel::second(int slice) const
{
    if (m_compare->currentIndex() != 1)
        return std::nullopt;
    return requestWith(m_b->choices(), slice);
}

void SettingsPanel::setRequest(const engine::Request& request)
{
    const QSignalBlocker cutoffBlocker(m_cutoff), orderBlocker(m_order), edgeBlocker(m_edge);
    m_a->setChoices(Choices::of(request));
    m_window->select(QString::fromStdString(engine::toText(request.setting.filter.window)));
    m_cutoff->setValue(request.setting.filter.cutoff);
    m_order->setValue(request.setting.filter.order);
    m_edge->setChecked(request.setting.filter.padMode == engine::PadMode::edge);
    m_axis->setAxis(request.setting.axis);
    m_wantedDevice = request.resources.device;
    m_device->select(QString::fromStdString(engine::toText(request.resources.device)));
    m_rest = request;
    m_rest.scan.reset();
    m_rest.place.region.reset();
    m_memory->setValue(request.resources.memoryLimitBytes > 0 ? request.resources.memoryLimitBytes / gib
                                                              : machineGib() / 2);
    offer();
}

void SettingsPanel::setSecond(const std::optional<Choices>& choices)
{
    if (choices)
        m_b->setChoices(*choices);
    m_compare->select(choices ? QStringLiteral("second") : QStringLiteral("reference"));
    m_b->setVisible(choices.has_value());
    offer();
}

void SettingsPanel::showUsedAxis(double axisBins, const std::string& source)
{
    m_axis->showUsed(axisBins, source);
}

void SettingsPanel::offer()
{
    m_cutoff->setEnabled(filter().window != engine::Window::none);
    m_order->setVisible(filter().window == engine::Window::butterworth);
    if (!m_scan)
        return;
    m_a->offer(request(0));
    m_b->offer(request(0));
}

void SettingsPanel::react()
{
    offer();
    emit changed();
}

void SettingsPanel::reset()
{
    engine::Request request;
    request.resources.threads = m_rest.resources.threads;
    setRequest(request);
    m_b->setChoices({});
    setSecond(std::nullopt);
}

void SettingsPanel::saveState(QSettings& settings) const
{
    const auto save = [&settings](const QString& group, engine::Request request) {
        // A given number belongs to its scan; only how the axis is chosen is kept.
        if (request.setting.axis.mode == engine::AxisSettings::Mode::given)
            request.setting.axis = {};
        for (const engine::Option& row : engine::options())
            if (kept(row))
                settings.setValue(group + QLatin1String(row.id), QString::fromStdString(row.get(request)));
        settings.setValue(group + "oversampling", request.setting.kernel.oversampling); // kept while it isn't used
    };
    engine::Request a = requestWith(m_a->choices(), 0), b = requestWith(m_b->choices(), 0);
    a.resources.device = b.resources.device = m_wantedDevice;
    save(QStringLiteral("a/"), a);
    save(QStringLiteral("b/"), b);
    settings.setValue(QStringLiteral("second"), m_compare->currentIndex() == 1);
}

void SettingsPanel::restoreState(const QSettings& settings)
{
    if (!settings.contains(QStringLiteral("a/method")))
        return;
    const auto restored = [&](const QString& group) {
        engine::Request request;
        request.resources.threads = m_rest.resources.threads;
        request.setting.kernel.oversampling =
            std::clamp(settings.value(group + "oversampling", request.setting.kernel.oversampling).toInt(), 1, 64);
        for (const engine::Option& row : engine::options()) {
            const std::string text = settings.value(group + QLatin1String(row.id)).toString().toStdString();
            if (kept(row) && !text.empty())
                engine::setOption(row, request, text);
        }
        return request;
    };
    try {
        const engine::Request a = restored(QStringLiteral("a/"));
        const Choices b = Choices::of(restored(QStringLiteral("b/")));
        setRequest(a);
        m_b->setChoices(b);
        setSecond(settings.value(QStringLiteral("second")).toBool() ? std::optional(b) : std::nullopt);
    } catch (const engine::Error&) {
        reset(); // written by another version: start afresh
    }
}

} // namespace ui
