#include "ui/settings/settings_panel.h"

#include "engine/error.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace ui
{

namespace
{

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

// The four choices of each compared setting (ChoiceGroup).
bool isChosenInGroup(const engine::Option& option)
{
    const std::string id = option.id;
    return id == "method" || id == "interpolation" || id == "precision" || id == "slices-per-pass";
}

// The row's label, with the letter that enters its field.
QString labelOf(const engine::Option& option)
{
    static const std::map<std::string, QChar> letters{
        {"filter", 'l'}, {"cutoff", 'u'}, {"axis", 'x'}, {"device", 'D'}, {"memory-limit", 'y'}};
    QString label = translated(option.label);
    if (const auto letter = letters.find(option.id); letter != letters.end())
        label.insert(label.indexOf(letter->second), QLatin1Char('&'));
    return label;
}

// Disabled with the reason as its tooltip, or enabled with its own.
void setPossible(const OptionField& field, const std::optional<std::string>& reason)
{
    field.widget->setEnabled(!reason);
    field.widget->setToolTip(translated(reason ? *reason : field.option->summary));
}

} // namespace

SettingsPanel::SettingsPanel(QWidget* parent)
    : QWidget(parent), m_a(new ChoiceGroup(QStringLiteral("A"), true)),
      m_b(new ChoiceGroup(QStringLiteral("B"), false)), m_axis(new AxisEdit), m_device(new ChoiceCombo),
      m_compare(new ChoiceCombo)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(heading(tr("Setting A")));
    layout->addWidget(m_a);
    layout->addWidget(separator());
    layout->addWidget(settingRows(m_a->labelWidth()));
    layout->addWidget(separator());

    auto* compareLabel = heading(tr("Compare &with"));
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

// What the table says, where an option's field isn't one of its own; none for a text that has none.
std::optional<OptionField> SettingsPanel::rowOf(const engine::Option& option)
{
    const std::string id = option.id;
    const auto changed = [this] { react(); };
    if (id == "pad")
        return edgeField(option, changed);
    if (id == "memory-limit")
        return memoryField(option);
    if (id == "axis") {
        connect(m_axis, &AxisEdit::changed, this, &SettingsPanel::react);
        const auto request = [this] {
            engine::Request made;
            made.setting.axis = m_axis->axis();
            return made;
        };
        return OptionField{&option, m_axis, m_axis->modeCombo(), [&option, request] { return option.get(request()); },
                           [this](const std::string& text) { m_axis->setAxis(engine::axisFromText(text)); }};
    }
    if (id == "device") {
        describe(m_device, option);
        m_device->setToolTip(tr("What computes"));
        connect(m_device, &QComboBox::currentIndexChanged, this, [this] {
            m_wantedDevice = device();
            react();
        });
        return OptionField{&option, m_device, m_device, [this] { return engine::toText(device()); },
                           [this](const std::string& text) {
                               m_wantedDevice = engine::deviceFromText(text);
                               m_device->select(QString::fromStdString(text));
                           }};
    }
    if (option.kind == engine::Option::Kind::text || option.kind == engine::Option::Kind::bytes)
        return std::nullopt;
    return fieldOf(option, changed);
}

QWidget* SettingsPanel::settingRows(int labelWidth)
{
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth);
    QHBoxLayout* filterRow = nullptr;
    for (const engine::Option& option : engine::options()) {
        if (!option.hasRow || isChosenInGroup(option))
            continue;
        const std::optional<OptionField> made = rowOf(option);
        if (!made)
            continue;
        const OptionField& field = m_fields.emplace_back(*made);
        const std::string id = option.id;
        if (id == "order") { // beside the window that has one
            filterRow->addWidget(field.widget);
            continue;
        }
        QWidget* widget = field.widget;
        if (id == "filter") {
            widget = new QWidget;
            filterRow = new QHBoxLayout(widget);
            filterRow->setContentsMargins(0, 0, 0, 0);
            filterRow->addWidget(field.widget, 1);
        }
        auto* label = new QLabel(id == "pad" ? QString() : labelOf(option)); // whose box says it
        label->setBuddy(field.focus);
        label->setToolTip(translated(option.summary));
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0, Qt::AlignTop | Qt::AlignLeft);
        grid->addWidget(widget, row, 1);
        label->setMinimumHeight(field.focus->sizeHint().height()); // text level with the field's
    }
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
    for (const OptionField& field : m_fields)
        if (const std::string text = field.text(); !text.empty())
            engine::setOption(*field.option, request, text);
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
    m_a->setChoices(Choices::of(request));
    for (const OptionField& field : m_fields)
        field.show(field.option->get(request));
    m_rest = {};
    const auto hasField = [this](const engine::Option& option) {
        return std::ranges::any_of(m_fields, [&](const OptionField& field) { return field.option == &option; });
    };
    for (const engine::Option& option : engine::options())
        if (const std::string text = option.get(request); option.isKept && !text.empty() && !hasField(option))
            engine::setOption(option, m_rest, text);
    m_rest.resources.threads = request.resources.threads;
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
    const engine::Request asked = request(0);
    for (const OptionField& field : m_fields) {
        const auto reason = field.option->idle ? field.option->idle(asked) : std::nullopt;
        if (std::string(field.option->id) == "order") // takes the room of its window's name
            field.widget->setVisible(!reason);
        else if (field.option->idle)
            setPossible(field, reason);
    }
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
            if (row.isKept)
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
            if (row.isKept && !text.empty())
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
