#include "ui/opening/frame_fields.h"

#include "engine/base/error.h"
#include "ui/widgets/engine_text.h"

#include <QLineEdit>
#include <QSignalBlocker>

namespace ui
{

FrameFields::FrameFields()
{
    makeReduction();
    m_leaveOut =
        rangesField("leaveOut", tr("Projections that are left out"), tr("no projection"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.reduction.leftOut; });
    m_darkFrames =
        rangesField("darkFrames", tr("Projections that are dark fields"), tr("none"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.darkFrames; });
    m_flatFrames =
        rangesField("flatFrames", tr("Projections that are flat fields"), tr("none"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.flatFrames; });
    m_binLabel = labelled(tr("Bin"), m_bin).label;
    m_everyLabel = labelled(tr("Take every"), m_every).label;
    m_leaveOutLabel = labelled(tr("Leave out"), m_leaveOut).label;
    m_darkFramesLabel = labelled(tr("Dark frames"), m_darkFrames).label;
    m_flatFramesLabel = labelled(tr("Flat frames"), m_flatFrames).label;
    connect(m_bin, &QDoubleSpinBox::valueChanged, this, [this](double pixels) {
        emit changed([pixels](engine::OpenOptions& said) { said.reduction.bin = static_cast<int>(pixels); });
    });
    connect(m_every, &QDoubleSpinBox::valueChanged, this, [this](double every) {
        emit changed([every](engine::OpenOptions& said) { said.reduction.every = static_cast<int>(every); });
    });
}

LabelledField FrameFields::bin() const
{
    return {m_binLabel, m_bin};
}

LabelledField FrameFields::every() const
{
    return {m_everyLabel, m_every};
}

LabelledField FrameFields::leaveOut() const
{
    return {m_leaveOutLabel, m_leaveOut};
}

LabelledField FrameFields::darkFrames() const
{
    return {m_darkFramesLabel, m_darkFrames};
}

LabelledField FrameFields::flatFrames() const
{
    return {m_flatFramesLabel, m_flatFrames};
}

// What of the scan is read, where all of it would be too much.
void FrameFields::makeReduction()
{
    m_bin = new MeasureBox(tr(" px"), 1, engine::Reduction::mostBin, 0, 1);
    m_bin->setObjectName(QStringLiteral("bin"));
    m_bin->setSpecialValueText(tr("none"));
    m_bin->setAccessibleName(tr("Pixels of the detector that are joined"));
    m_bin->setToolTip(tr("2 joins 2 × 2 pixels of the detector to one, their mean: an eighth of the volume"));
    m_bin->setFixedWidth(104);
    m_every = new MeasureBox(tr(". projection"), 1, engine::Reduction::mostEvery, 0, 1);
    m_every->setObjectName(QStringLiteral("every"));
    m_every->setSpecialValueText(tr("projection"));
    m_every->setAccessibleName(tr("Which projections are read"));
    m_every->setToolTip(tr("2 reads every second projection alone"));
    m_every->setFixedWidth(104);
}

QLineEdit* FrameFields::rangesField(const char* id, const QString& name, const QString& none, Ranges ranges)
{
    auto* field = new QLineEdit;
    field->setObjectName(QLatin1String(id));
    field->setPlaceholderText(none);
    field->setAccessibleName(name);
    field->setToolTip(name + tr("; counted from 0 as they were recorded, ranges with both ends: 3,7:20"));
    field->setFixedWidth(104);
    connect(field, &QLineEdit::editingFinished, this, [this, field, ranges] {
        try {
            const std::string text = field->text().trimmed().toStdString();
            const auto wanted = text.empty() ? std::vector<engine::RowRange>() : engine::rangesFromText(text);
            emit rangesEntered([ranges, wanted](engine::OpenOptions& said) { ranges(said) = wanted; });
        } catch (const engine::Error& error) {
            emit wrongEntered(inWindow(error.text()));
        }
    });
    return field;
}

void FrameFields::show(const engine::OpenOptions& said, const engine::Scan* scan)
{
    const QSignalBlocker quietBin(m_bin), quietEvery(m_every);
    m_bin->setValue(said.reduction.bin);
    m_every->setValue(said.reduction.every);
    m_leaveOut->setText(QString::fromStdString(engine::rangesToText(said.reduction.leftOut)));
    m_darkFrames->setText(QString::fromStdString(engine::rangesToText(said.darkFrames)));
    m_flatFrames->setText(QString::fromStdString(engine::rangesToText(said.flatFrames)));
    const bool mayHoldSides = !said.darkFrames.empty() || !said.flatFrames.empty() ||
                              (scan && scan->flatFrames == 0 && scan->quantity == engine::Quantity::counts);
    flatFrames().setVisible(mayHoldSides);
    darkFrames().setVisible(mayHoldSides);
}

} // namespace ui
