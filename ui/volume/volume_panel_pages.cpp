// The panel's two pages: what is there before a volume is, and the view with its controls.
#include "ui/volume/volume_panel_impl.h"

namespace ui
{

namespace
{

constexpr int controlsWidth = 230;

QComboBox* makeStepChoice(QWidget* parent)
{
    auto* const choice = new QComboBox(parent);
    choice->addItem(VolumePanel::tr("Every pixel and slice"), 1);
    choice->addItem(VolumePanel::tr("Every 2nd pixel and slice"), 2);
    choice->addItem(VolumePanel::tr("Every 4th pixel and slice"), 4);
    choice->setCurrentIndex(1);
    choice->setAccessibleName(VolumePanel::tr("Resolution of the stack"));
    choice->setToolTip(VolumePanel::tr("Half resolution takes an eighth of the memory and time, a quarter 1/64."));
    return choice;
}

QWidget* scrolled(QWidget* controls, QWidget* parent)
{
    auto* const scroll = new QScrollArea(parent);
    scroll->setWidget(controls);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(controlsWidth);
    return scroll;
}

} // namespace

QWidget* VolumePanel::Impl::makeReconstructRow(QWidget* parent, QComboBox*& choice)
{
    auto* const row = new QWidget(parent);
    auto* const layout = new QVBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    choice = makeStepChoice(row);
    auto* const button = new QPushButton(tr("Rec&onstruct the stack"), row);
    QComboBox* const asked = choice;
    connect(button, &QPushButton::clicked, panel,
            [this, asked] { emit panel->reconstructStackRequested(asked->currentData().toInt()); });
    layout->addWidget(choice);
    layout->addWidget(button);
    return row;
}

void VolumePanel::Impl::makeEmptyPage()
{
    emptyPage = new QWidget(panel);
    auto* const layout = new QVBoxLayout(emptyPage);
    message = new QLabel(emptyPage);
    message->setObjectName(QStringLiteral("message"));
    message->setAlignment(Qt::AlignCenter);
    message->setWordWrap(true);
    reconstruct = makeReconstructRow(emptyPage, emptyStep);
    reconstruct->setMaximumWidth(280);
    layout->addStretch();
    layout->addWidget(message);
    layout->addSpacing(12);
    layout->addWidget(reconstruct, 0, Qt::AlignHCenter);
    layout->addStretch();
    pages->addWidget(emptyPage);
}

QSlider* VolumePanel::Impl::makeSlider(const QString& name)
{
    auto* const slider = new QSlider(Qt::Horizontal, viewPage);
    slider->setRange(0, sliderSteps);
    slider->setAccessibleName(name);
    connect(slider, &QSlider::valueChanged, this, [this] { updateLook(); });
    return slider;
}

void VolumePanel::Impl::makeViewPage()
{
    viewPage = new QWidget(panel);
    viewLayout = new QHBoxLayout(viewPage);
    viewLayout->setContentsMargins(0, 0, 0, 0);
    auto* const controls = new QWidget(viewPage);
    auto* const form = new QFormLayout(controls);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(4);

    size = new QLabel(controls);
    note = new QLabel(controls);
    note->setObjectName(QStringLiteral("note"));
    for (QLabel* const label : {size, note})
        label->setWordWrap(true);
    form->addRow(size);
    form->addRow(note);

    volumeOn = new QCheckBox(tr("Volu&me"), controls);
    slicesOn = new QCheckBox(tr("Slices"), controls);
    corner = new QCheckBox(tr("Corner cut ope&n"), controls);
    corner->setToolTip(tr("Takes the corner between the slices and you out of the volume"));
    for (QCheckBox* const box : {volumeOn, slicesOn, corner}) {
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, [this] { updateLook(); });
        form->addRow(box);
    }
    colours = new QComboBox(controls);
    colours->setAccessibleName(tr("Colour map of the volume"));
    for (const ColourMap& map : colourMaps())
        colours->addItem(map.name);
    connect(colours, &QComboBox::currentIndexChanged, this, [this] { updateLook(); });
    form->addRow(tr("C&olours"), colours);

    threshold = makeSlider(tr("Threshold: below it the volume is clear"));
    opacity = makeSlider(tr("Opacity of the volume"));
    opacity->setValue(sliderSteps / 2);
    thresholdValue = new QLabel(controls);
    form->addRow(thresholdValue, threshold);
    form->addRow(tr("Opacity"), opacity);
    makeSlices(form);

    auto* const reset = new QPushButton(tr("&Reset the view"), controls);
    connect(reset, &QPushButton::clicked, this, [this] {
        if (scene) {
            scene->resetCamera();
            widget->render();
        }
    });
    form->addRow(reset);
    auto* const hint = new QLabel(tr("Drag: turn · Shift: move · Wheel: nearer · Ctrl on a slice: shift it"), controls);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(hint);
    form->addRow(makeReconstructRow(controls, viewStep));

    viewLayout->addWidget(scrolled(controls, viewPage));
    pages->addWidget(viewPage);
}

void VolumePanel::Impl::makeSlices(QFormLayout* form)
{
    const std::array<QString, 3> names = {tr("Column (x)"), tr("Row (y)"), tr("Slice (z)")};
    for (const int k : {2, 1, 0}) {
        position[k] = makeSlider(names[k]);
        positionValue[k] = new QLabel(form->parentWidget());
        form->addRow(positionValue[k], position[k]);
    }
}

} // namespace ui
