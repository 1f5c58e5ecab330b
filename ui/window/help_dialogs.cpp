#include "ui/window/help_dialogs.h"

#include "engine/base/version.h"

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace ui
{

void showShortcuts(QMainWindow& window)
{
    QDialog dialog(&window);
    dialog.setWindowTitle(QObject::tr("Keyboard shortcuts"));
    auto* table = new QTableWidget(0, 2);
    table->setHorizontalHeaderLabels({QObject::tr("Action"), QObject::tr("Keys")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setShowGrid(false);
    const auto addRow = [table](const QString& what, const QString& keys) {
        table->insertRow(table->rowCount());
        table->setItem(table->rowCount() - 1, 0, new QTableWidgetItem(what));
        table->setItem(table->rowCount() - 1, 1, new QTableWidgetItem(keys));
    };
    for (QAction* menu : window.menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (!action->shortcuts().isEmpty()) {
                QStringList keys;
                for (const QKeySequence& sequence : action->shortcuts())
                    keys << sequence.toString(QKeySequence::NativeText);
                addRow(action->text().remove('&').remove(QChar(0x2026)), keys.join(QObject::tr(" or ")));
            }
    for (QLabel* label : window.findChildren<QLabel*>()) // fields that a letter of their label enters
        if (const QKeySequence letter = QKeySequence::mnemonic(label->text()); label->buddy() && !letter.isEmpty())
            addRow(label->text().remove('&'), letter.toString(QKeySequence::NativeText));
    addRow(QObject::tr("Rotation axis by 0.25 bin, by 0.01 bin"), QObject::tr("Up, Down; with Ctrl"));
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    layout->addWidget(table);
    layout->addWidget(buttons);
    dialog.resize(640, 620);
    dialog.exec();
}

void showAbout(QWidget& window)
{
    QDialog dialog(&window);
    dialog.setObjectName(QStringLiteral("about"));
    dialog.setWindowTitle(QObject::tr("About Sinoscope"));
    auto* icon = new QLabel;
    icon->setPixmap(QIcon(QStringLiteral(":/icons/sinoscope.svg")).pixmap(64, 64));
    icon->setAlignment(Qt::AlignTop);
    auto* about =
        new QLabel(QObject::tr("<h3>Sinoscope %1</h3><p>Tomographic reconstruction, compared and timed: parallel, fan "
                               "and cone beams, on processors and GPUs.</p>"
                               "<p>Free software under the GNU General Public License, version 3 or later. "
                               "Running with Qt %2.</p>")
                       .arg(QString::fromStdString(engine::programVersion()), QString::fromLatin1(qVersion())));
    about->setWordWrap(true);
    auto* credits = new QTextBrowser;
    credits->setObjectName(QStringLiteral("credits"));
    QFile file(QStringLiteral(":/credits.md"));
    if (file.open(QIODevice::ReadOnly))
        credits->setMarkdown(QString::fromUtf8(file.readAll()));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QGridLayout(&dialog);
    layout->setHorizontalSpacing(16);
    layout->setColumnStretch(1, 1);
    layout->addWidget(icon, 0, 0);
    layout->addWidget(about, 0, 1);
    layout->addWidget(credits, 1, 0, 1, 2);
    layout->addWidget(buttons, 2, 0, 1, 2);
    dialog.resize(640, 560);
    dialog.exec();
}

} // namespace ui
