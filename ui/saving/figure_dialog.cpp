// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/figure_dialog.h"

#include "ui/widgets/number_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ui
{

namespace
{

QDoubleSpinBox* lengthBox(const char* name, double valueMm)
{
    auto* box = new NumberBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(20, 1000);
    box->setDecimals(0);
    box->setSuffix(FigureDialog::tr(" mm"));
    box->setValue(valueMm);
    box->setToolTip(FigureDialog::tr("On the page. Letters have 8 points, or 6 where there is little room."));
    return box;
}

} // namespace

FigureDialog::FigureDialog(const Drawing& drawing, const DrawingLook& look, QWidget* parent)
    : FigureDialog({{QString(), drawing}}, 0, look, parent)
{
}

FigureDialog::FigureDialog(std::vector<FigureChoice> choices, std::size_t chosen, const DrawingLook& look,
                           QWidget* parent)
    : QDialog(parent), m_choices(std::move(choices)), m_choice(new QComboBox),
      m_width(lengthBox("figureWidth", look.widthMm)), m_height(lengthBox("figureHeight", look.heightMm)),
      m_resolution(new CountBox), m_titles(new QCheckBox(tr("Titles"))), m_bars(new QCheckBox(tr("Colour bars"))),
      m_scale(new QCheckBox(tr("Scale bar"))), m_marks(new QCheckBox(tr("Lines and areas"))),
      m_differences(new QCheckBox(tr("Differences"))), m_preview(new QLabel), m_size(new QLabel)
{
    setWindowTitle(tr("Save a figure"));
    setObjectName(QStringLiteral("figureDialog"));
    m_resolution->setObjectName(QStringLiteral("figureResolution"));
    m_resolution->setRange(50, 1200);
    m_resolution->setSuffix(tr(" dpi"));
    m_resolution->setValue(look.dotsPerInch);
    m_resolution->setToolTip(tr("Of PNG files; in SVG and PDF files lines and letters are vectors"));
    for (const FigureChoice& choice : m_choices)
        m_choice->addItem(choice.label);
    m_choice->setObjectName(QStringLiteral("figureImages"));
    m_choice->setCurrentIndex(static_cast<int>(chosen));
    m_choice->setToolTip(tr("Which images the figure shows: those of a view, or of all settings"));
    connect(m_choice, &QComboBox::currentIndexChanged, this, &FigureDialog::showPreview);
    auto* form = new QFormLayout;
    form->addRow(tr("&Images"), m_choice);
    form->setRowVisible(m_choice, m_choices.size() > 1);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(tr("&Resolution"), m_resolution);
    form->setRowVisible(m_height, choice().drawing.of == Drawing::Of::plot);
    const bool areImages = choice().drawing.of == Drawing::Of::images;
    const std::tuple<QCheckBox*, bool, bool> parts[] = {
        {m_titles, look.titles, areImages},
        {m_bars, look.colourBars, areImages},
        {m_scale, look.scaleBar, areImages},
        {m_marks, look.marks, areImages},
        {m_differences, look.differences, choice().drawing.hasDifferences}};
    for (const auto& [box, isOn, isOffered] : parts) {
        box->setChecked(isOn);
        form->addRow(box);
        form->setRowVisible(box, isOffered);
        connect(box, &QCheckBox::toggled, this, &FigureDialog::showPreview);
    }
    m_titles->setObjectName(QStringLiteral("figureTitles"));
    m_marks->setObjectName(QStringLiteral("figureMarks"));
    m_differences->setObjectName(QStringLiteral("figureDifferences"));
    m_differences->setToolTip(tr("The lower plot: the absolute differences to the reference"));
    form->addRow(m_size);
    for (QDoubleSpinBox* box : {m_width, m_height})
        connect(box, &QDoubleSpinBox::valueChanged, this, &FigureDialog::showPreview);
    connect(m_resolution, &QSpinBox::valueChanged, this, &FigureDialog::showPreview);
    m_preview->setObjectName(QStringLiteral("figurePreview"));
    m_preview->setAccessibleName(tr("Preview of the figure"));
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setMinimumSize(420, 260);
    m_preview->setFrameShape(QFrame::StyledPanel);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(tr("Save…"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* row = new QHBoxLayout;
    row->addLayout(form);
    row->addWidget(m_preview, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(row, 1);
    column->addWidget(buttons);
    resize(860, 440);
    showPreview();
}

const FigureChoice& FigureDialog::choice() const
{
    return m_choices[static_cast<std::size_t>(m_choice->currentIndex())];
}

DrawingLook FigureDialog::look() const
{
    return {.widthMm = m_width->value(),
            .heightMm = m_height->value(),
            .dotsPerInch = m_resolution->value(),
            .titles = m_titles->isChecked(),
            .colourBars = m_bars->isChecked(),
            .scaleBar = m_scale->isChecked(),
            .marks = m_marks->isChecked(),
            .differences = m_differences->isChecked()};
}

void FigureDialog::resizeEvent(QResizeEvent* event)
{
    QDialog::resizeEvent(event);
    showPreview();
}

void FigureDialog::showPreview()
{
    const QSizeF mm = sizeMmOf(choice().drawing, look()), points = pointsOf(mm);
    m_size->setText(tr("%1 × %2 mm").arg(mm.width(), 0, 'f', 0).arg(mm.height(), 0, 'f', 0));
    const QSizeF room = m_preview->contentsRect().size() - QSize(16, 16);
    const double scale = std::min(room.width() / points.width(), room.height() / points.height());
    if (scale <= 0)
        return;
    const double ratio = devicePixelRatioF();
    QPixmap picture((points * scale * ratio).toSize());
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    painter.scale(scale, scale);
    choice().drawing.draw(painter, points, look());
    painter.end();
    m_preview->setPixmap(picture);
}

} // namespace ui
