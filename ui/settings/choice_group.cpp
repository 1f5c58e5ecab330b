// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/choice_group.h"

#include "engine/base/error.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/manual_page.h"
#include "ui/widgets/number_box.h"

#include <QGridLayout>
#include <QLabel>
#include <QListView>
#include <QSignalBlocker>

#include <algorithm>
#include <set>

namespace ui
{

Choices Choices::of(const engine::Request& request)
{
    return {request.setting.kernel.method,    request.setting.kernel.interpolation, request.setting.kernel.oversampling,
            request.setting.kernel.precision, request.setting.kernel.slicesPerPass, request.setting.kernel.variant};
}

void Choices::applyTo(engine::Request& request) const
{
    request.setting.kernel.method = method;
    request.setting.kernel.interpolation = interpolation;
    request.setting.kernel.oversampling = oversampling;
    request.setting.kernel.precision = precision;
    request.setting.kernel.slicesPerPass = slicesPerPass;
    request.setting.kernel.variant = variant;
}

std::optional<QString> impossible(const engine::Request& request)
{
    if (!request.scan)
        return std::nullopt;
    const int slices = request.scan->slices();
    if (request.setting.kernel.slicesPerPass > slices)
        return slices == 1 ? ChoiceGroup::tr("The scan has only one slice.")
                           : ChoiceGroup::tr("The scan has only %1 slices.").arg(slices);
    try {
        const engine::Method& method = engine::methodFor(request);
        if (const auto reason = engine::refusalOf(method, request))
            return QString::fromStdString(*reason);
    } catch (const engine::Error& error) {
        return inWindow(error.text());
    }
    return std::nullopt;
}

ChoiceGroup::ChoiceGroup(QWidget* parent)
    : QWidget(parent), m_kernel(new ChoiceCombo), m_variant(new ChoiceCombo), m_interpolation(new ChoiceCombo),
      m_oversampling(new CountBox), m_precision(new ChoiceCombo), m_slices(new ChoiceCombo)
{
    using engine::Interpolation;
    using engine::Precision;
    m_interpolation->addChoice(tr("Nearest"), int(Interpolation::nearest), tr("The value of the nearest bin"));
    m_interpolation->addChoice(tr("Linear"), int(Interpolation::linear), tr("Between the two neighbouring bins"));
    m_interpolation->addChoice(tr("Oversampled"), int(Interpolation::oversampled),
                               tr("Each bin is first divided into k samples by linear interpolation; then the nearest "
                                  "sample is used"));
    m_interpolation->addChoice(tr("Cubic"), int(Interpolation::cubic), tr("Catmull-Rom through four bins"));
    m_precision->addChoice(tr("Float (32 bit)"), int(Precision::single),
                           tr("Filtered projections stored as 32-bit floats"));
    m_precision->addChoice(tr("Half (16 bit)"), int(Precision::half),
                           tr("Filtered projections stored as 16-bit IEEE halves; sums stay 32-bit"));
    m_interpolation->setSizeAdjustPolicy(QComboBox::AdjustToContents); // shares its row with the factor
    m_interpolation->setMinimumContentsLength(0);
    m_oversampling->setRange(1, 64);
    m_oversampling->setValue(4);
    m_oversampling->setPrefix(QStringLiteral("×"));
    m_oversampling->setKeyboardTracking(false);
    m_oversampling->setAccessibleName(tr("Oversampling factor"));
    m_oversampling->setToolTip(tr("Samples per bin (1–64), for oversampled interpolation"));
    m_oversampling->setFixedWidth(m_oversampling->fontMetrics().horizontalAdvance(QStringLiteral("×64")) + 34);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    grid->setVerticalSpacing(6);
    addRow(grid, tr("&Kernel"), m_kernel, tr("Kernel"), tr("How the projections are summed into the image"));
    addRow(grid, tr("Varia&nt"), m_variant, tr("Variant"), {});
    addRow(grid, tr("&Interpolation"), m_interpolation, tr("Interpolation"),
           tr("How a value between two detector bins is found"), m_oversampling);
    addRow(grid, tr("&Precision"), m_precision, tr("Precision"), tr("Number format of the stored sinogram"));
    addRow(grid, tr("Slic&es"), m_slices, tr("Slices at once"),
           tr("Slices that the kernel reconstructs together, sharing their geometry"));

    connect(m_kernel, &QComboBox::currentIndexChanged, this, &ChoiceGroup::fillVariants);
    for (ChoiceCombo* combo : {m_kernel, m_variant, m_interpolation, m_precision, m_slices})
        connect(combo, &QComboBox::currentIndexChanged, this, [this] {
            showIfPossible(m_oversampling, choices().interpolation == Interpolation::oversampled);
            emit changed();
        });
    connect(m_oversampling, &QSpinBox::valueChanged, this, &ChoiceGroup::changed);
    m_kernel->setObjectName(QStringLiteral("kernel"));
    m_variant->setObjectName(QStringLiteral("variant"));
    m_interpolation->setObjectName(QStringLiteral("interpolation"));
    m_oversampling->setObjectName(QStringLiteral("oversampling"));
    m_precision->setObjectName(QStringLiteral("precision"));
    setManualPage(m_precision, QStringLiteral("half-precision.md"));
    m_slices->setObjectName(QStringLiteral("slicesPerPass"));
    fill({});
    setChoices({});
}

// Fills the lists with the methods for this geometry and their numbers of slices. The previous selection is lost.
void ChoiceGroup::fill(const engine::Geometry& geometry)
{
    const std::vector<const engine::Method*> methods = engine::methodsFor(geometry);
    if (methods == m_methods)
        return;
    m_methods = methods;
    const QSignalBlocker kernelBlocker(m_kernel), slicesBlocker(m_slices);
    m_kernel->clear();
    m_slices->clear();
    m_kernel->addChoice(tr("Automatic"), QStringLiteral("auto"),
                        tr("The fastest method that can do these choices on the device"));
    std::set<int> slices{1};
    for (const engine::Method* method : methods) {
        m_kernel->addChoice(
            QString::fromUtf8(method->label), QString::fromUtf8(method->id),
            QStringLiteral("%1\n%2").arg(QString::fromUtf8(method->summary), QString::fromUtf8(method->reference)));
        slices.insert(method->slicesPerPass.begin(), method->slicesPerPass.end());
    }
    for (const int count : slices)
        m_slices->addChoice(count == 1 ? tr("1 slice") : tr("%1 slices").arg(count), count);
}

// Fills the list with the variants of the selected kernel. Keeps the selection if the kernel has it.
void ChoiceGroup::fillVariants()
{
    const QString before = m_variant->currentData().toString();
    const std::string id = m_kernel->currentData().toString().toStdString();
    const auto method = std::ranges::find_if(m_methods, [&](const engine::Method* one) { return id == one->id; });
    const std::vector<engine::Variant> variants =
        method == m_methods.end() ? std::vector<engine::Variant>() : engine::variantsOf(**method);
    const QSignalBlocker blocker(m_variant);
    m_variant->clear();
    m_variant->addChoice(tr("Fastest"), QString(), tr("The variant that was measured fastest"));
    for (const engine::Variant& variant : variants) {
        const QString summary = QString::fromStdString(variant.summary),
                      source = QString::fromStdString(variant.source);
        m_variant->addChoice(QString::fromStdString(variant.id), QString::fromStdString(variant.id),
                             source.isEmpty() ? summary : summary + u'\n' + source);
    }
    m_variant->select(before);
    m_variant->setEnabled(!variants.empty());
    m_variant->setToolTip(!variants.empty() ? tr("How the kernel works, for comparisons: the steps and choices of the "
                                                 "papers")
                          : id == "auto"    ? tr("Choose a kernel to compare its variants")
                                            : tr("This kernel has no variants"));
}

void ChoiceGroup::addRow(QGridLayout* grid, const QString& text, QWidget* field, const QString& name,
                         const QString& tooltip, QWidget* beside)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    m_labelWidth = std::max(m_labelWidth, label->sizeHint().width());
    label->setToolTip(tooltip);
    field->setAccessibleName(name);
    field->setToolTip(tooltip);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1, 1, beside ? 1 : 2);
    if (beside)
        grid->addWidget(beside, row, 2);
}

Choices ChoiceGroup::choices() const
{
    Choices choices;
    choices.method = m_kernel->currentData().toString().toStdString();
    choices.interpolation = engine::Interpolation(m_interpolation->currentData().toInt());
    choices.oversampling = m_oversampling->value();
    choices.precision = engine::Precision(m_precision->currentData().toInt());
    choices.slicesPerPass = m_slices->currentData().toInt();
    choices.variant = m_variant->currentData().toString().toStdString();
    return choices;
}

void ChoiceGroup::setChoices(const Choices& choices)
{
    if (!m_kernel->select(QString::fromStdString(choices.method)))
        m_kernel->select(QStringLiteral("auto")); // the method is for another geometry
    fillVariants();
    if (!m_variant->select(QString::fromStdString(choices.variant)))
        m_variant->select(QString()); // a variant of another method
    m_interpolation->select(int(choices.interpolation));
    {
        const QSignalBlocker blocker(m_oversampling);
        m_oversampling->setValue(choices.oversampling);
    }
    showIfPossible(m_oversampling, choices.interpolation == engine::Interpolation::oversampled);
    m_precision->select(int(choices.precision));
    if (!m_slices->select(choices.slicesPerPass))
        m_slices->select(1);
}

bool ChoiceGroup::offer(const engine::Request& base)
{
    using Kind = engine::DeviceSettings::Kind;
    engine::Request request = base;
    fill(base.scan ? base.scan->geometry : engine::Geometry());
    const Choices before = Choices::of(base);
    setChoices(before);
    Choices now = choices();
    const auto possible = [&](const Choices& tried) {
        tried.applyTo(request);
        return !impossible(request);
    };
    // Tries the requested number of slices, then smaller, then larger ones: `tensor` needs at least 8.
    const auto withSlices = [&](Choices tried) -> std::optional<Choices> {
        std::vector<int> counts{tried.slicesPerPass};
        for (int index = m_slices->count() - 1; index >= 0; --index)
            if (const int count = m_slices->itemData(index).toInt(); count < tried.slicesPerPass)
                counts.push_back(count);
        for (int index = 0; index < m_slices->count(); ++index)
            if (const int count = m_slices->itemData(index).toInt(); count > tried.slicesPerPass)
                counts.push_back(count);
        for (const int count : counts) {
            tried.slicesPerPass = count;
            if (possible(tried))
                return tried;
        }
        return std::nullopt;
    };
    // Changes as little as possible: first the number of slices, then the variant, the kernel, and all choices.
    const auto withoutVariant = [&](Choices tried) {
        tried.variant.clear();
        return withSlices(tried);
    };
    if (const auto found = withSlices(now)) {
        now = *found;
    } else if (const auto other = withoutVariant(now)) {
        now = *other;
    } else {
        now.variant.clear();
        now.method = "auto";
        if (!possible(now))
            now.slicesPerPass = 1;
        if (!possible(now))
            now = {};
        for (std::size_t k = 0; k < m_methods.size() && !possible(now); ++k)
            now = withSlices({.method = m_methods[k]->id}).value_or(Choices());
    }
    setChoices(now);

    const auto mark = [&](ChoiceCombo* combo, auto set) {
        for (int index = 0; index < combo->count(); ++index) {
            Choices tried = now;
            set(tried, combo->itemData(index));
            tried.applyTo(request);
            combo->setImpossible(index, impossible(request));
        }
    };
    mark(m_kernel, [&](Choices& c, const QVariant& v) {
        c.method = v.toString().toStdString();
        c.variant.clear();
        c = withSlices(c).value_or(c);
    });
    // Methods of OpenCL devices are offered only to users of such a device.
    if (auto* const list = qobject_cast<QListView*>(m_kernel->view()))
        for (std::size_t k = 0; k < m_methods.size(); ++k) // after "Automatic"
            list->setRowHidden(static_cast<int>(k) + 1,
                               m_methods[k]->device == Kind::opencl && base.resources.device.kind != Kind::opencl);
    mark(m_variant, [](Choices& c, const QVariant& v) { c.variant = v.toString().toStdString(); });
    mark(m_interpolation, [](Choices& c, const QVariant& v) { c.interpolation = engine::Interpolation(v.toInt()); });
    mark(m_precision, [](Choices& c, const QVariant& v) { c.precision = engine::Precision(v.toInt()); });
    mark(m_slices, [](Choices& c, const QVariant& v) { c.slicesPerPass = v.toInt(); });
    return now != before;
}

} // namespace ui
