#include "ui/settings/settings_panel.h"

#include "engine/base/error.h"
#include "engine/compare/compare_settings.h"
#include "ui/settings/presets.h"
#include "ui/settings/setting_differences.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/side_area.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace ui
{

namespace
{

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

// Over the rows that are the same for all settings.
QLabel* sharedHeading()
{
    auto* heading = new QLabel(SettingsPanel::tr("Shared by all settings"));
    heading->setObjectName(QStringLiteral("sharedByAll"));
    heading->setToolTip(SettingsPanel::tr("What follows is the same for every setting of the list"));
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    return heading;
}

// Disabled with the reason as its tooltip, or enabled with its own.
void setPossible(const OptionField& field, const std::optional<std::string>& reason)
{
    field.widget->setEnabled(!reason);
    field.widget->setToolTip(translated(reason ? *reason : field.option->summary));
}

} // namespace

SettingsPanel::SettingsPanel(QWidget* parent)
    : QWidget(parent), m_settings(new SettingListView), m_heading(new SettingHeading), m_choices(new ChoiceGroup),
      m_steps(new StepOrderList), m_axis(new AxisEdit), m_device(new ChoiceCombo),
      m_preparation(
          new FoldOut("preparationHeading", tr("From what the detector recorded to what is filtered, in this order"))),
      m_underAxis(new QWidget)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, std::max(8, besideScrollBar(this)), 8);
    layout->setSpacing(8);
    layout->addWidget(m_carried = makeCarried());
    layout->addWidget(m_settings);
    layout->addWidget(separator());
    layout->addWidget(m_heading);
    layout->addWidget(m_choices);
    layout->addWidget(separator());
    layout->addWidget(settingRows(m_choices->labelWidth(), Rows::otherOfSetting));
    auto* underAxis = new QVBoxLayout(m_underAxis);
    underAxis->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_underAxis);
    layout->addWidget(m_preparation);
    m_preparation->body()->addWidget(settingRows(m_choices->labelWidth(), Rows::preparation));
    layout->addWidget(separator());
    layout->addWidget(sharedHeading());
    layout->addWidget(settingRows(m_choices->labelWidth(), Rows::shared));
    layout->addWidget(separator());
    layout->addWidget(m_geometry = new GeometryPanel(m_choices->labelWidth()));
    layout->addStretch(1);

    auto* reset = new QPushButton(tr("Reset to defaults"));
    reset->setToolTip(tr("One setting, with everything on this side as it was at the first start"));
    reset->setObjectName(QStringLiteral("reset"));
    layout->addWidget(reset);

    connect(m_choices, &ChoiceGroup::changed, this, &SettingsPanel::react);
    connect(m_settings, &SettingListView::edited, this, &SettingsPanel::take);
    connect(m_settings, &SettingListView::presetChosen, this,
            [this](int k) { take(presets()[static_cast<std::size_t>(k)].make(request(0), m_usedAxisBins)); });
    connect(m_settings, &SettingListView::backRequested, this, &SettingsPanel::backRequested);
    connect(m_settings, &SettingListView::forwardRequested, this, &SettingsPanel::forwardRequested);
    connect(reset, &QPushButton::clicked, this, [this] {
        this->reset();
        emit changed();
    });
    setDevices({});
    setList(list());
}

QWidget* SettingsPanel::makeCarried()
{
    auto* carried = new QWidget;
    carried->setObjectName(QStringLiteral("carriedOver"));
    auto* row = new QHBoxLayout(carried);
    row->setContentsMargins(0, 0, 0, 0);
    m_carriedText = new QLabel;
    m_carriedText->setObjectName(QStringLiteral("carriedOverText"));
    m_carriedText->setTextFormat(Qt::PlainText);
    m_carriedText->setWordWrap(true);
    m_carriedText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* reset = flatButton(QStringLiteral("resetCarriedOver"), tr("Reset"), tr("All settings to their defaults"));
    connect(reset, &QToolButton::clicked, this, [this] {
        this->reset();
        emit changed();
    });
    row->addWidget(m_carriedText, 1);
    row->addWidget(reset, 0, Qt::AlignTop);
    carried->hide();
    return carried;
}

void SettingsPanel::showCarriedOver(bool areCarried)
{
    QStringList said;
    for (const NamedSetting& one : list().settings)
        if (const QString unlike = unlikeText(one.setting, {}, Parts::all); !unlike.isEmpty())
            said << (list().settings.size() > 1 ? tr("%1: %2").arg(QString::fromStdString(one.name), unlike) : unlike);
    m_carriedText->setText(tr("Kept from the last scan: %1").arg(said.join(QStringLiteral("; "))));
    m_carried->setVisible(areCarried && !said.isEmpty());
}

// What the table says, where an option's field isn't one of its own; none for a text that has none.
std::optional<OptionField> SettingsPanel::rowOf(const engine::Option& option)
{
    const std::string id = option.id;
    const auto changed = [this] { react(); };
    if (id == "memory-limit")
        return memoryField(option);
    if (id == "step-order") {
        connect(m_steps, &StepOrderList::changed, this, &SettingsPanel::react);
        connect(m_steps, &StepOrderList::lookWanted, this, &SettingsPanel::lookWanted);
        connect(m_steps, &StepOrderList::stepChosen, this, &SettingsPanel::stepChosen);
        return OptionField{&option, m_steps, m_steps->rows(), [this] { return m_steps->text(); },
                           [this](const std::string& text) { m_steps->setText(text); }};
    }
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
            m_wantedDevices = devices();
            react();
        });
        return OptionField{&option, m_device, m_device, [this] { return devices(); },
                           [this](const std::string& text) {
                               engine::Resources named;
                               engine::setDevices(named, text);
                               m_wantedDevices = engine::devicesToText(named);
                               selectDevices();
                           }};
    }
    if (option.kind == engine::Option::Kind::text || option.kind == engine::Option::Kind::bytes)
        return std::nullopt;
    return fieldOf(option, changed);
}

// A button that compares all choices of an option; null where no preset does.
QToolButton* SettingsPanel::allOf(const engine::Option& option)
{
    const auto preset = std::ranges::find_if(presets(), [&](const Preset& one) { return one.option == option.id; });
    if (preset == presets().end())
        return nullptr;
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("allOf_") + QLatin1String(option.id));
    button->setText(QStringLiteral("≡"));
    button->setToolTip(tr("Compare: %1. It replaces the list.").arg(preset->text()));
    button->setAccessibleName(button->toolTip());
    connect(button, &QToolButton::clicked, this, [this, preset] { take(preset->make(request(0), m_usedAxisBins)); });
    return button;
}

// Of the chosen setting, or of all.
QWidget* SettingsPanel::settingRows(int labelWidth, Rows which)
{
    const auto rowsOf = [](const engine::Option& option) {
        return !option.use.ofSetting                        ? Rows::shared
               : option.use.stage == engine::Stage::prepare ? Rows::preparation
                                                            : Rows::otherOfSetting;
    };
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth);
    QHBoxLayout* filterRow = nullptr;
    for (const engine::Option& option : engine::options()) {
        if (!option.use.hasRow || rowsOf(option) != which || isChosenInGroup(option))
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
        if (QToolButton* all = allOf(option)) {
            auto* pair = new QWidget;
            auto* row = new QHBoxLayout(pair);
            row->setContentsMargins(0, 0, 0, 0);
            row->setSpacing(2);
            row->addWidget(widget, 1);
            row->addWidget(all, 0, Qt::AlignTop);
            widget = pair;
        }
        if (id == "step-order") { // over the whole width, what is done before how
            grid->addWidget(widget, grid->rowCount(), 0, 1, 2);
            continue;
        }
        auto* label = new QLabel(labelOf(option));
        label->setObjectName(QStringLiteral("labelOf_") + QLatin1String(option.id));
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
    m_settings->setScan(m_scan.get());
    m_geometry->setScan(m_scan.get());
    m_usedAxisBins = m_scan ? m_scan->middleBins() : 0;
    SettingList list = this->list();
    list.forgetAxes();
    using Kind = ReferenceChoice::Kind;
    if ((list.reference.kind == Kind::phantom && m_scan && !m_scan->exactImage) || list.reference.kind == Kind::file)
        list.reference = {};
    m_settings->setList(list);
    makePossible();
    m_last = this->list();
    showChosen();
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
        if (devices.devices.size() > 1)
            m_device->addChoice(tr("All %1 GPUs").arg(devices.devices.size()), QStringLiteral("cuda:all"), sharedTip());
        if (devices.devices.empty()) {
            m_device->addChoice(tr("NVIDIA GPU"), QStringLiteral("none"));
            m_device->setImpossible(
                m_device->count() - 1,
                devices.reason.empty()
                    ? tr("No NVIDIA GPU was found.")
                    : tr("No NVIDIA GPU can be used: %1").arg(QString::fromStdString(devices.reason)));
        }
    }
    selectDevices();
    makePossible();
    showChosen();
}

// Some of several, which a session or a command line named, are a choice of their own.
void SettingsPanel::selectDevices()
{
    const QString wanted = QString::fromStdString(m_wantedDevices);
    if (m_wantedDevices.find(',') != std::string::npos && m_device->findData(wanted) < 0) {
        const QSignalBlocker blocker(m_device);
        m_device->addChoice(wanted, wanted, sharedTip());
    }
    m_device->select(wanted);
}

QString SettingsPanel::sharedTip()
{
    return tr("They share the slices of a volume; a single slice is computed by the first");
}

std::string SettingsPanel::devices() const
{
    const std::string text = m_device->currentData().toString().toStdString();
    return text.empty() || text == "none" ? "auto" : text;
}

engine::Request SettingsPanel::requestOf(const engine::Setting& setting, int slice) const
{
    engine::Request request = engine::requestShowing(m_scan, setting, m_resources, slice);
    for (const OptionField& field : m_fields)
        if (const std::string text = field.text(); !field.option->use.ofSetting && !text.empty())
            engine::setField(*field.option, request, text);
    return request;
}

engine::Request SettingsPanel::request(int slice) const
{
    return requestOf(list().chosen().setting, slice);
}

Comparison SettingsPanel::comparison(int slice) const
{
    Comparison made;
    made.slice = slice;
    made.chosen = list().chosenIndex();
    made.against = list().reference;
    for (const NamedSetting& one : list().settings)
        made.compared.push_back({QString::fromStdString(one.name), requestOf(one.setting, slice), nullptr, one.id,
                                 one.colour, one.visible});
    return made;
}

// The chosen setting as its fields say.
engine::Setting SettingsPanel::ofFields() const
{
    engine::Request request;
    request.setting = list().chosen().setting;
    m_choices->choices().applyTo(request);
    for (const OptionField& field : m_fields)
        if (const std::string text = field.text(); field.option->use.ofSetting && !text.empty())
            engine::setField(*field.option, request, text);
    return request.setting;
}

void SettingsPanel::showChosen()
{
    const engine::Request request = this->request(0);
    m_heading->show(QString::fromStdString(list().chosen().name), list().chosen().colour);
    m_choices->setChoices(Choices::of(request));
    for (const OptionField& field : m_fields)
        if (field.option->use.ofSetting)
            field.show(field.option->get(request));
    offer();
}

// Folded away, it says what isn't as usual.
void SettingsPanel::titlePreparation(const engine::Request& request)
{
    const engine::Request usual;
    QStringList changed;
    for (const engine::Option& option : engine::options())
        if (option.use.ofSetting && option.use.stage == engine::Stage::prepare &&
            !(option.idle && option.idle(request)) && option.get(request) != option.get(usual))
            changed << QString::fromStdString(engine::lowerLabel(option));
    m_preparation->setTitle(changed.empty()       ? tr("Preparation")
                            : changed.size() == 1 ? tr("Preparation: %1").arg(changed.front())
                                                  : tr("Preparation: %1 changed").arg(changed.size()));
}

// What this scan and device can't do of each setting.
void SettingsPanel::makePossible()
{
    if (!m_scan)
        return;
    SettingList list = this->list();
    for (NamedSetting& one : list.settings) {
        engine::Request request = requestOf(one.setting, 0);
        if (m_choices->offer(request)) {
            m_choices->choices().applyTo(request);
            one.setting = request.setting;
        }
    }
    m_settings->setList(list);
}

void SettingsPanel::setList(const SettingList& list)
{
    emit edited(m_settings->list(), false);
    showList(list);
}

void SettingsPanel::setResources(const engine::Resources& resources)
{
    engine::Request request;
    request.resources = resources;
    m_resources.threads = resources.threads;
    for (const OptionField& field : m_fields)
        if (!field.option->use.ofSetting)
            field.show(field.option->get(request));
}

void SettingsPanel::setRequest(const engine::Request& request)
{
    setResources(request.resources);
    SettingList list = this->list();
    list.chosen().setting = request.setting;
    setList(list);
}

void SettingsPanel::show(const Comparison& comparison, const SpeedOf& speedOf)
{
    m_settings->showSpeeds(comparison, speedOf);
    if (!comparison.hasResult())
        return;
    m_usedAxisBins = comparison.a().result->axisBins;
    m_axis->showUsed(*comparison.a().result);
}

void SettingsPanel::offer()
{
    const engine::Request asked = request(0);
    titlePreparation(asked);
    m_steps->show(asked);
    for (const OptionField& field : m_fields) {
        const auto reason = field.option->idle ? field.option->idle(asked) : std::nullopt;
        if (field.widget == m_steps) {
            continue;                                          // says itself what is possible
        } else if (std::string(field.option->id) == "order") { // takes the room of its window's name
            field.widget->setVisible(!reason);
        } else if (!field.option->use.isShownIdle) { // its row comes and goes with what it belongs to
            const bool isShown = !reason && (field.option->use.isShownUnset || !field.option->get(asked).empty());
            field.widget->setVisible(isShown);
            if (auto* label = findChild<QLabel*>(QStringLiteral("labelOf_") + QLatin1String(field.option->id)))
                label->setVisible(isShown);
        } else if (field.option->idle) {
            setPossible(field, reason);
        }
    }
    if (!m_scan)
        return;
    m_choices->offer(asked);
}

// A field was changed.
void SettingsPanel::react()
{
    SettingList list = this->list();
    list.chosen().setting = ofFields();
    take(list);
}

} // namespace ui
