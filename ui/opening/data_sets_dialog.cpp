// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/data_sets_dialog.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/new_image.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontMetrics>
#include <QGridLayout>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPixmap>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTreeWidget>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

namespace ui
{

namespace
{

constexpr int pictureSide = 280;
enum Column { nameColumn, shapeColumn, numbersColumn, roleColumn, columns };

struct AxesChoice {
    const char* text;
    const char* axes; // value of the role "axes"; empty: the default order
};
constexpr AxesChoice axesOfThree[] = {{QT_TRANSLATE_NOOP("DataSets", "projections × rows × bins"), ""},
                                      {QT_TRANSLATE_NOOP("DataSets", "rows × projections × bins"), "y:theta:x"},
                                      {QT_TRANSLATE_NOOP("DataSets", "rows × bins × projections"), "y:x:theta"},
                                      {QT_TRANSLATE_NOOP("DataSets", "projections × bins × rows"), "theta:x:y"},
                                      {QT_TRANSLATE_NOOP("DataSets", "bins × projections × rows"), "x:theta:y"},
                                      {QT_TRANSLATE_NOOP("DataSets", "bins × rows × projections"), "x:y:theta"}};
constexpr AxesChoice axesOfTwo[] = {{QT_TRANSLATE_NOOP("DataSets", "projections × bins"), ""},
                                    {QT_TRANSLATE_NOOP("DataSets", "bins × projections"), "x:theta"}};

QString shapeOf(const engine::DataSetFound& set)
{
    QString text;
    for (const long long length : set.shape)
        text += (text.isEmpty() ? QString() : QStringLiteral(" × ")) + QString::number(length);
    return text.isEmpty() ? QObject::tr("one value") : text;
}

bool canBe(const engine::DataSetRole& role, const engine::DataSetFound& set)
{
    if (set.sampleType.empty() || std::ranges::find(set.shape, 0) != set.shape.end())
        return false;
    const std::size_t rank = set.shape.size();
    if (role.text == &engine::DataSets::projections)
        return rank == 2 || rank == 3;
    const bool isSide = role.text == &engine::DataSets::flats || role.text == &engine::DataSets::darks;
    return isSide ? rank >= 1 && rank <= 3 : rank == 1; // rank 1: a flat or dark of a single sinogram
}

// Converts to grey values, scaled between the 1st and the 99th percentile.
QImage imageOf(const engine::DataSetPicture& picture)
{
    std::vector<float> sorted;
    for (const float value : picture.values)
        if (std::isfinite(value))
            sorted.push_back(value);
    QImage image = newImage(picture.width, picture.height, QImage::Format_Grayscale8);
    image.fill(0);
    if (sorted.empty())
        return image;
    std::ranges::sort(sorted);
    const float low = sorted[sorted.size() / 100], high = sorted[sorted.size() - 1 - sorted.size() / 100];
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            const float value = picture.values[static_cast<std::size_t>(y) * picture.width + x];
            const float grey = high > low ? (value - low) / (high - low) : 0.5F;
            image.scanLine(y)[x] = static_cast<uchar>(255 * std::clamp(std::isfinite(grey) ? grey : 0.0F, 0.0F, 1.0F));
        }
    return image;
}

QString rangeText(const engine::DataSetPicture& picture)
{
    const auto [least, most] = std::ranges::minmax(picture.values);
    return QObject::tr("values %1 to %2").arg(double(least), 0, 'g', 5).arg(double(most), 0, 'g', 5);
}

} // namespace

DataSetsDialog::DataSetsDialog(const QString& path, engine::DataSetList list, const engine::DataSets& chosen,
                               QWidget* parent)
    : QDialog(parent), m_path(path), m_list(std::move(list)), m_tree(new QTreeWidget), m_picture(new QLabel),
      m_caption(new QLabel), m_problem(new QLabel)
{
    setObjectName(QStringLiteral("dataSets"));
    setWindowTitle(tr("Data sets of %1").arg(QFileInfo(path).fileName()));
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->addWidget(makeTree());
    split->addWidget(makePicture());
    split->setStretchFactor(0, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    m_open = buttons->button(QDialogButtonBox::Open);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    filled(new QVBoxLayout(this), {{split, 1}, makeRoles(), m_problem, buttons});
    resize(860, 560);

    connect(&m_looking, &BackgroundTask::failed, this, [this](const QString& message) {
        m_picture->clear();
        m_caption->setText(message);
    });
    show(engine::isIn(chosen, m_list) ? chosen : m_list.guess);
    if (const engine::DataSetFound* set = found(this->chosen().projections))
        m_tree->setCurrentItem(m_items[static_cast<std::size_t>(set - m_list.found.data())]);
}

QWidget* DataSetsDialog::makeTree()
{
    m_tree->setObjectName(QStringLiteral("dataSetsTree"));
    m_tree->setColumnCount(columns);
    m_tree->setHeaderLabels({tr("Name"), tr("Shape"), tr("Numbers"), tr("Used as")});
    m_tree->setUniformRowHeights(true);
    m_tree->setAlternatingRowColors(true);
    QHash<QString, QTreeWidgetItem*> groups;
    for (const engine::DataSetFound& set : m_list.found) {
        const QStringList parts = QString::fromStdString(set.path).split(QLatin1Char('/'), Qt::SkipEmptyParts);
        QTreeWidgetItem* above = m_tree->invisibleRootItem();
        QString path;
        for (qsizetype k = 0; k + 1 < parts.size(); ++k) {
            path += QLatin1Char('/') + parts[k];
            QTreeWidgetItem*& group = groups[path];
            if (!group) {
                group = new QTreeWidgetItem(above, {parts[k]});
                group->setExpanded(true);
            }
            above = group;
        }
        auto* item = new QTreeWidgetItem(
            above, {parts.isEmpty() ? QString() : parts.back(), shapeOf(set), QString::fromStdString(set.sampleType)});
        item->setToolTip(nameColumn, QString::fromStdString(set.path));
        if (!set.problem.empty()) {
            item->setText(shapeColumn, tr("can't be read"));
            item->setToolTip(shapeColumn, QString::fromStdString(set.problem));
        }
        item->setDisabled(set.sampleType.empty());
        m_items.push_back(item);
    }
    if (m_list.more > 0)
        (new QTreeWidgetItem(m_tree, {tr("and %1 more").arg(m_list.more)}))->setDisabled(true);
    m_tree->expandAll();
    m_tree->header()->setSectionResizeMode(nameColumn, QHeaderView::Stretch);
    m_tree->header()->setStretchLastSection(false);
    for (const int column : {shapeColumn, numbersColumn, roleColumn})
        m_tree->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    const auto setOf = [this](QTreeWidgetItem* item) -> const engine::DataSetFound* {
        const auto at = std::ranges::find(m_items, item);
        return at == m_items.end() ? nullptr : &m_list.found[static_cast<std::size_t>(at - m_items.begin())];
    };
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this, setOf](QTreeWidgetItem* item) {
        if (const engine::DataSetFound* set = setOf(item))
            look(*set);
    });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this, setOf](QTreeWidgetItem* item) {
        if (const engine::DataSetFound* set = setOf(item))
            take(*set);
    });
    return m_tree;
}

QWidget* DataSetsDialog::makePicture()
{
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(6, 0, 0, 0);
    m_picture->setObjectName(QStringLiteral("dataSetsPicture"));
    m_picture->setFixedSize(pictureSide, pictureSide);
    m_picture->setAlignment(Qt::AlignCenter);
    m_picture->setFrameShape(QFrame::StyledPanel);
    m_caption->setObjectName(QStringLiteral("dataSetsCaption"));
    m_caption->setWordWrap(true);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_caption->setFixedWidth(pictureSide);
    column->addWidget(m_picture);
    column->addWidget(m_caption, 1);
    return side;
}

QWidget* DataSetsDialog::makeRoles()
{
    auto* group = new QWidget;
    auto* grid = new QGridLayout(group);
    grid->setContentsMargins(0, 4, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    const std::span<const engine::DataSetRole> roles = engine::dataSetRoles();
    for (std::size_t k = 0; k < roles.size(); ++k) {
        auto* combo = new QComboBox;
        combo->setObjectName(QLatin1String(roles[k].id));
        combo->setToolTip(tr(roles[k].summary));
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(20);
        if (roles[k].text != &engine::DataSets::axes) {
            combo->addItem(k == 0 ? tr("choose…") : tr("none"), QString());
            for (const engine::DataSetFound& set : m_list.found)
                if (canBe(roles[k], set))
                    combo->addItem(QStringLiteral("%1   %2").arg(QString::fromStdString(set.path), shapeOf(set)),
                                   QString::fromStdString(set.path));
        }
        auto* label = new QLabel(tr(roles[k].label));
        label->setBuddy(combo);
        const int row = static_cast<int>(k) / 2, at = static_cast<int>(k) % 2 * 2;
        grid->addWidget(label, row, at);
        grid->addWidget(combo, row, at + 1);
        m_roles.push_back(combo);
        connect(combo, &QComboBox::currentIndexChanged, this, &DataSetsDialog::roleChanged);
    }
    return group;
}

const engine::DataSetFound* DataSetsDialog::found(const std::string& path) const
{
    const auto at = std::ranges::find(m_list.found, path, &engine::DataSetFound::path);
    return at == m_list.found.end() ? nullptr : &*at;
}

// Offers the orders of axes for as many dimensions as the projections have.
void DataSetsDialog::offerAxes()
{
    QComboBox* axes = m_roles.back();
    const engine::DataSetFound* frames = found(m_roles.front()->currentData().toString().toStdString());
    const std::span<const AxesChoice> choices =
        frames && frames->shape.size() == 2 ? std::span<const AxesChoice>(axesOfTwo) : axesOfThree;
    if (axes->count() == static_cast<int>(choices.size()))
        return;
    const QSignalBlocker quiet(axes);
    axes->clear();
    for (const AxesChoice& choice : choices)
        axes->addItem(QCoreApplication::translate("DataSets", choice.text), QLatin1String(choice.axes));
}

void DataSetsDialog::show(const engine::DataSets& sets)
{
    const std::span<const engine::DataSetRole> roles = engine::dataSetRoles();
    for (std::size_t k = 0; k < roles.size(); ++k) {
        if (k + 1 == roles.size())
            offerAxes();
        const QSignalBlocker quiet(m_roles[k]);
        m_roles[k]->setCurrentIndex(std::max(0, m_roles[k]->findData(QString::fromStdString(sets.*roles[k].text))));
    }
    roleChanged();
}

engine::DataSets DataSetsDialog::chosen() const
{
    engine::DataSets sets;
    const std::span<const engine::DataSetRole> roles = engine::dataSetRoles();
    for (std::size_t k = 0; k < roles.size(); ++k)
        sets.*roles[k].text = m_roles[k]->currentData().toString().toStdString();
    return sets;
}

int DataSetsDialog::frameAxis() const
{
    const QString axes = m_roles.back()->currentData().toString();
    return axes.isEmpty() ? 0 : static_cast<int>(axes.split(QLatin1Char(':')).indexOf(QLatin1String("theta")));
}

// Returns why the flats or darks don't fit the projections.
QString DataSetsDialog::misfitOf(const engine::DataSets& sets) const
{
    const engine::DataSetFound& frames = *found(sets.projections);
    std::vector<long long> across = frames.shape;
    across.erase(across.begin() + frameAxis());
    for (const engine::DataSetRole& role : engine::dataSetRoles()) {
        const engine::DataSetFound* side = found(sets.*role.text);
        if ((role.text != &engine::DataSets::flats && role.text != &engine::DataSets::darks) || !side)
            continue;
        std::vector<long long> shape = side->shape;
        if (shape.size() == frames.shape.size())
            shape.erase(shape.begin() + frameAxis());
        if (side == &frames || shape != across)
            return tr("%1 can't be %2: their frames must be as large as the projections.")
                .arg(QString::fromStdString(side->path), tr(role.label).toLower());
    }
    return {};
}

void DataSetsDialog::roleChanged()
{
    offerAxes();
    const engine::DataSets sets = chosen();
    for (std::size_t k = 0; k < m_items.size(); ++k) {
        QStringList names;
        for (const engine::DataSetRole& role : engine::dataSetRoles())
            if (sets.*role.text == m_list.found[k].path)
                names.append(tr(role.label));
        m_items[k]->setText(roleColumn, names.join(QStringLiteral(", ")));
    }
    const engine::DataSetFound* frames = found(sets.projections);
    QString problem, misfit = frames ? misfitOf(sets) : QString();
    if (!misfit.isEmpty()) {
        problem = misfit;
    } else if (!frames) {
        problem = tr("Choose the data set of the projections: three dimensions, or two for one sinogram.");
    } else {
        const long long count = frames->shape[static_cast<std::size_t>(frameAxis())];
        const engine::DataSetFound* angles = found(sets.angles);
        if (!angles)
            problem = tr("%1 projections; without angles, the arc of the scan is estimated from them.").arg(count);
        else if (angles->shape[0] != count && sets.key.empty())
            problem =
                tr("%1 projections, but %2 angles: each projection needs one angle.").arg(count).arg(angles->shape[0]);
    }
    m_problem->setText(problem);
    m_open->setEnabled(frames && misfit.isEmpty());
}

void DataSetsDialog::take(const engine::DataSetFound& set)
{
    const std::span<const engine::DataSetRole> roles = engine::dataSetRoles();
    for (std::size_t k = 0; k + 1 < roles.size(); ++k)
        if (canBe(roles[k], set)) {
            m_roles[k]->setCurrentIndex(m_roles[k]->findData(QString::fromStdString(set.path)));
            return;
        }
}

void DataSetsDialog::look(const engine::DataSetFound& set)
{
    m_picture->clear();
    const QString facts = QString::fromStdString(set.path) + QLatin1Char('\n') + shapeOf(set) + QStringLiteral(", ") +
                          QString::fromStdString(set.sampleType);
    m_caption->setText(facts);
    if (set.sampleType.empty() || set.shape.empty() || set.shape.size() > 3)
        return;
    const auto picture = std::make_shared<engine::DataSetPicture>();
    const qreal ratio = devicePixelRatioF();
    m_looking.start(
        [picture, file = m_path.toStdString(), path = set.path, axis = frameAxis(),
         most = static_cast<int>(pictureSide * ratio)](const std::stop_token&, const BackgroundTask::Progress&) {
            *picture = engine::pictureOf(file, path, axis, most);
        },
        [this, picture, facts, ratio] {
            QString text = facts + QLatin1Char('\n') + rangeText(*picture);
            if (picture->frame >= 0)
                text += tr("\nframe %1 of %2").arg(picture->frame).arg(picture->frames);
            m_caption->setText(text);
            if (picture->height < 2)
                return;
            const QSize room = QSize(pictureSide - 8, pictureSide - 8) * ratio;
            QPixmap pixmap = QPixmap::fromImage(imageOf(*picture).scaled(room, Qt::KeepAspectRatio));
            pixmap.setDevicePixelRatio(ratio);
            m_picture->setPixmap(pixmap);
        });
}

} // namespace ui
