// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions of a user in the real window. The seed and the number of an action determine it, so that it does not
// depend on the duration of earlier actions.
#pragma once

#include "tests/ui/window/soak_files.h"
#include "tests/ui/window/soak_log.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/opening/sample_scans.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/window/actions.h"

#include <QtWidgets>

namespace soak
{

class Acts : public QObject
{
  public:
    Acts(fixtures::Window& window, const fixtures::TemporaryFolder& folder, unsigned seed, Log& log)
        : m_window(window), m_folder(folder), m_seed(seed), m_log(log), m_random(seed),
          m_files(filesIn(folder, m_random))
    {
        connect(&m_answers, &QTimer::timeout, this, [this] { answer(); });
        m_answers.start(20);
    }

    void act(int number)
    {
        std::seed_seq both{m_seed, unsigned(number)};
        m_random.seed(both);
        m_log.add(QByteArray::number(number) + ":");
        int place = below(sum());
        for (const Row& row : rows)
            if ((place -= row.weight) < 0) {
                (this->*row.act)();
                break;
            }
        keepSmall();
        if (below(3) != 0)
            QApplication::processEvents();
    }
    // Whether the image has not been requested since the last cancelling.
    bool cancelled() const { return m_cancelled; }
    void computeAgain()
    {
        m_cancelled = false;
        m_window.computeAgain();
    }

  private:
    struct Row {
        int weight;
        void (Acts::*act)();
    };
    static const std::array<Row, 16> rows;
    static int sum()
    {
        int all = 0;
        for (const Row& row : rows)
            all += row.weight;
        return all;
    }

    int below(int n) { return int(m_random() % unsigned(std::max(n, 1))); }
    template <typename List>
    auto& oneOf(List& list)
    {
        return list[decltype(list.size())(below(int(list.size())))];
    }
    void say(const QString& what) { m_log.say(what.toUtf8()); }

    // Called as long as something waits for an answer: cancels dragging of text, which otherwise waits for a real mouse
    // button to be released; closes menus; saves every other volume, of the last region drawn; rejects all other
    // dialogs.
    void answer()
    {
        if (m_window.findChild<QDrag*>())
            QDrag::cancel();
        else if (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        else if (auto* volume = qobject_cast<ui::SaveVolumeDialog*>(QApplication::activeModalWidget());
                 volume && std::exchange(m_accepts, !m_accepts)) {
            auto* region = fixtures::child<QComboBox>(*volume, "volumeRegion");
            region->setCurrentIndex(region->count() - 1);
            QMetaObject::invokeMethod(
                volume, [volume] { volume->accept(); }, Qt::QueuedConnection); // its questions are answered here
        } else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget()))
            dialog->reject();
        else if (++m_answered % 50 == 0)
            closeOthers();
    }

    // Once a second: the stand mode, which covers the window, and windows that stay open beside it.
    void closeOthers()
    {
        for (QWidget* other : QApplication::topLevelWidgets())
            if (other != &m_window && other->isVisible() && other->isWindow() && other->windowType() != Qt::ToolTip)
                other->close();
    }

    // Limits settings and marks, so that an action takes milliseconds after any number of earlier ones.
    void keepSmall()
    {
        while (m_window.settings().list().settings.size() > 5)
            m_window.settings().removeChosen();
        engine::Marks marks = m_window.images().marks();
        if (marks.marks.size() < 12)
            return;
        while (marks.marks.size() > 2)
            marks.remove(marks.marks[marks.areaId == marks.marks[0].id ? 1 : 0].id);
        m_window.images().editMarks(marks);
    }

    void openFile()
    {
        QStringList there = m_files;
        for (const QString& saved : QDir(m_folder.file({})).entryList({"*.sinoscope"}, QDir::Files))
            there << saved;
        const QString name = oneOf(there);
        const bool asSinogram = below(3) == 0;
        say("open " + name + (asSinogram ? " as sinogram" : ""));
        m_window.open(m_folder.file(name), asSinogram);
    }
    void drop()
    {
        QList<QUrl> urls;
        for (int k = below(3) ? 1 : below(4); k > 0; --k)
            urls << QUrl::fromLocalFile(m_folder.file(oneOf(m_files)));
        say("drop " + QUrl::toStringList(urls, QUrl::PreferLocalFile).join(u' '));
        fixtures::drop(m_window, urls);
    }
    void openSimulation()
    {
        const engine::Simulation made = simulationBy(m_random);
        say("simulate " + QString::fromStdString(engine::toJson(made)).simplified().remove(' '));
        m_window.openSimulation(made, "simulated");
    }
    void openSample()
    {
        const std::vector<ui::Sample> samples = ui::samples();
        const QString id = oneOf(samples).id;
        say("sample " + id);
        m_window.openSample(id);
    }
    void resize()
    {
        const QSize size(500 + below(1400), 300 + below(860));
        say(QStringLiteral("resize %1x%2").arg(size.width()).arg(size.height()));
        m_window.resize(size);
    }
    void slice()
    {
        const int slice = m_window.scan() ? below(m_window.scan()->slices()) : 0;
        say(QStringLiteral("slice %1").arg(slice));
        m_window.setSlice(slice);
    }
    void cancel()
    {
        say("cancel");
        m_cancelled = true;
        m_window.cancel();
    }
    void wait()
    {
        say("wait");
        QTest::qWait(below(30));
    }

    static void gather(QMenu* menu, QList<QAction*>& all)
    {
        for (QAction* action : menu->actions())
            if (action->menu() && action->text() != ui::Actions::tr("&Samples"))
                gather(action->menu(), all);
            else if (!action->menu() && !action->isSeparator() && action->isEnabled() &&
                     action->shortcut() != QKeySequence(QKeySequence::Quit))
                all << action;
    }
    void menu()
    {
        QList<QAction*> all;
        for (QAction* action : m_window.menuWidget()->actions())
            gather(action->menu(), all);
        QAction* action = oneOf(all);
        say("menu " + action->text());
        m_cancelled = m_cancelled || action->shortcut() == QKeySequence(Qt::Key_Escape);
        action->trigger();
    }

    // Operates any control that can be turned, edited or pressed.
    void control()
    {
        QList<QWidget*> all;
        for (QWidget* each : m_window.findChildren<QWidget*>()) {
            const bool isPart =
                qobject_cast<QAbstractSpinBox*>(each->parentWidget()) || qobject_cast<QComboBox*>(each->parentWidget());
            if (each->isVisible() && each->isEnabled() && !isPart && each->window() == &m_window &&
                (qobject_cast<QComboBox*>(each) || qobject_cast<QAbstractSpinBox*>(each) ||
                 qobject_cast<QAbstractButton*>(each) || qobject_cast<QAbstractSlider*>(each) ||
                 qobject_cast<QLineEdit*>(each) || qobject_cast<QTabBar*>(each) || qobject_cast<QListWidget*>(each)))
                all << each;
        }
        turn(oneOf(all));
    }
    void turn(QWidget* widget)
    {
        say(QLatin1String(widget->metaObject()->className()) + " '" +
            (widget->objectName().isEmpty() ? widget->accessibleName() : widget->objectName()) + "'");
        if (auto* combo = qobject_cast<QComboBox*>(widget))
            choose(combo);
        else if (auto* whole = qobject_cast<QSpinBox*>(widget))
            enter(*whole, whole->minimum() + below(std::min(whole->maximum() - whole->minimum(), 60) + 1));
        else if (auto* real = qobject_cast<QDoubleSpinBox*>(widget))
            enter(*real, valueFor(*real));
        else if (auto* button = qobject_cast<QAbstractButton*>(widget))
            press(button);
        else if (auto* slider = qobject_cast<QAbstractSlider*>(widget))
            slider->setValue(slider->minimum() + below(slider->maximum() - slider->minimum() + 1));
        else if (auto* bar = qobject_cast<QTabBar*>(widget))
            bar->setCurrentIndex(below(bar->count()));
        else if (auto* rows = qobject_cast<QListWidget*>(widget))
            change(rows);
        else if (auto* text = qobject_cast<QLineEdit*>(widget)) {
            text->setText(QString(below(9), QChar(u'a' + below(26))));
            QTest::keyClick(text, Qt::Key_Return);
        }
    }
    void choose(QComboBox* combo)
    {
        const int k = below(combo->count());
        if (combo->count() == 0 || !(combo->model()->flags(combo->model()->index(k, 0)) & Qt::ItemIsEnabled))
            return;
        say(combo->itemText(k));
        combo->setCurrentIndex(k);
        emit combo->activated(std::min(k, combo->count() - 1));
    }
    template <typename Box, typename Value>
    void enter(Box& box, Value value)
    {
        if (below(3) == 0) {
            const int steps = below(7) - 3;
            say(QStringLiteral("%1 steps").arg(steps));
            box.stepBy(steps);
            value = box.value();
        } else {
            say(QString::number(value));
        }
        // Limits the size of volumes.
        const QString name = box.objectName();
        if (name == "voxel" && value > 0)
            value = std::max(value, Value(700 * m_window.scan()->pixelSizeMm().value_or(1)));
        if (name.startsWith("volume"))
            value = std::min(value, Value(80));
        box.setValue(value);
    }
    double valueFor(const QDoubleSpinBox& box)
    {
        // Lengths of a geometry: near plausible values.
        if (box.suffix() == QStringLiteral(" µm"))
            return 100 * (1 + below(30));
        if (box.suffix() == QStringLiteral(" mm"))
            return box.objectName().startsWith("source") ? 100 + below(900) : (below(41) - 20) / 4.0;
        if (box.suffix() == QStringLiteral("°"))
            return below(5) ? (below(41) - 20) / 20.0 : below(59) - 29;
        return box.minimum() + (std::min(box.maximum(), box.minimum() + 100) - box.minimum()) * below(101) / 100;
    }
    void press(QAbstractButton* button)
    {
        auto* tool = qobject_cast<QToolButton*>(button);
        if (tool && tool->menu() && !tool->menu()->actions().isEmpty()) {
            QAction* action = oneOf(static_cast<const QList<QAction*>&>(tool->menu()->actions()));
            say(action->text());
            if (action->isEnabled())
                action->trigger();
            return;
        }
        say(button->text());
        m_cancelled = m_cancelled || button->objectName() == "cancel" || button->text() == QStringLiteral("×");
        button->click();
    }
    void change(QListWidget* rows)
    {
        if (rows->count() == 0)
            return;
        const int k = below(rows->count());
        QListWidgetItem* item = rows->item(k);
        const int how = below(3);
        if (how == 0)
            rows->setCurrentRow(k);
        else if (how == 1 && item->flags() & Qt::ItemIsUserCheckable)
            item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
        else if (item->flags() & Qt::ItemIsEditable)
            item->setData(Qt::EditRole, QStringLiteral("setting %1").arg(below(50)));
    }

    void mark()
    {
        engine::Marks marks = m_window.images().marks();
        const int size = m_window.scan() ? m_window.scan()->sliceSize() : 64;
        const auto at = [&] { return double(below(size)); };
        const int how = below(marks.marks.empty() ? 4 : 6);
        say(QStringLiteral("mark %1").arg(how));
        if (how == 0)
            marks.add(engine::Line{at(), at(), at(), at()});
        else if (how == 1)
            marks.add(engine::Circle{at(), at(), 1 + at() / 2});
        else if (how == 2)
            marks.add(engine::Area(engine::Region{below(size - 4), below(size - 4), 4, 4 + below(20)}));
        else if (how == 3)
            marks.add(engine::Area(engine::EllipseArea{at(), at(), 2 + at() / 4, 2 + at() / 4}));
        else if (how == 4)
            marks.remove(oneOf(marks.marks).id);
        else
            marks.choose(oneOf(marks.marks).id);
        m_window.images().editMarks(marks);
    }

    // Moves, clicks, drags, turns the wheel or presses keys, anywhere.
    void mouse()
    {
        const QPoint place(below(m_window.width()), below(m_window.height()));
        QWidget* widget = m_window.childAt(place);
        if (below(2) == 0)
            for (QGraphicsView* view : m_window.findChildren<QGraphicsView*>())
                if (view->isVisible() && below(2) == 0)
                    widget = view->viewport();
        if (!widget || !widget->isEnabled())
            return;
        const QPoint at(below(widget->width()), below(widget->height())),
            to(below(widget->width()), below(widget->height()));
        const int how = below(6);
        const Qt::KeyboardModifiers keys = below(3)   ? Qt::NoModifier
                                           : below(2) ? Qt::ShiftModifier
                                                      : Qt::ControlModifier;
        say(QStringLiteral("mouse %1 on %2 '%3' (%4, %5) (%6, %7)")
                .arg(how)
                .arg(QLatin1String(widget->metaObject()->className()), widget->objectName())
                .arg(at.x())
                .arg(at.y())
                .arg(to.x())
                .arg(to.y()));
        if (qobject_cast<QMenuBar*>(widget) && how != 0) // its entries are actions of their own
            return;
        const QPointer<QWidget> still = widget;
        if (how == 0)
            fixtures::point(widget, at);
        else if (how == 1)
            QTest::mouseClick(widget, below(5) ? Qt::LeftButton : Qt::RightButton, keys, at);
        else if (how == 2)
            QTest::mouseDClick(widget, Qt::LeftButton, keys, at);
        else if (how == 3)
            fixtures::wheel(widget, at, below(2) ? 120 : -120);
        else
            fixtures::drag(widget, at, to, keys);
        if (still && below(4) == 0)
            fixtures::pointElsewhere(still);
    }
    void key()
    {
        static constexpr Qt::Key keys[] = {
            Qt::Key_Up,        Qt::Key_Down,   Qt::Key_Left,  Qt::Key_Right, Qt::Key_Home,   Qt::Key_End,
            Qt::Key_PageUp,    Qt::Key_Return, Qt::Key_Space, Qt::Key_Tab,   Qt::Key_Delete, Qt::Key_Plus,
            Qt::Key_Minus,     Qt::Key_1,      Qt::Key_5,     Qt::Key_A,     Qt::Key_F,      Qt::Key_T,
            Qt::Key_Backspace, Qt::Key_X,      Qt::Key_R,     Qt::Key_Insert};
        QWidget* widget = m_window.focusWidget() ? m_window.focusWidget() : &m_window;
        const Qt::Key which = keys[below(int(std::size(keys)))];
        const Qt::KeyboardModifiers with = below(4) ? Qt::NoModifier : Qt::ShiftModifier;
        say("key " + QKeySequence(which | with).toString() + " in " + QLatin1String(widget->metaObject()->className()));
        QTest::keyClick(widget, which, with);
    }

    void cone()
    {
        const double axisMm = 100 + below(500);
        engine::ConeOptions options = coneOf(axisMm, axisMm * (1 + below(30) / 20.0), 0.5 + below(20) / 10.0);
        if (below(2))
            options.tiltRad = (below(41) - 20) / 300.0, options.offsetUMm = below(9) - 4;
        const bool parallel = below(3) == 0;
        say(parallel ? QString("take as parallel")
                     : QStringLiteral("take as cone %1 %2").arg(*options.sourceAxisMm).arg(*options.sourceDetectorMm));
        parallel ? m_window.takeAsParallel() : m_window.takeAsCone(options);
    }

    void stack()
    {
        say("3-D");
        fixtures::trigger(m_window, Qt::CTRL | Qt::Key_2);
        QApplication::processEvents();
        for (QPushButton* button : m_window.findChildren<QPushButton*>())
            if (button->isVisible() && button->isEnabled() && button->text().contains("econstruct"))
                return button->click();
    }

    void save()
    {
        if (!m_window.shown().hasResult())
            return say("nothing to save");
        static constexpr const char* names[] = {"a.tif",  "a.png",  "a.gif", "d.tif",       "d.png",
                                                "p.csv",  "p.pdf",  "p.png", "a.sinoscope", "b.sinoscope",
                                                "r.html", "r.json", "r.pdf", "v.h5",        "slices"};
        const QString name = QLatin1String(names[below(int(std::size(names)))]), path = m_folder.file(name);
        say("save " + name);
        if (name.startsWith("a.") && !name.endsWith("sinoscope"))
            m_window.saveImage(path);
        else if (name.startsWith("d."))
            m_window.saveDifference(path);
        else if (name.startsWith("p."))
            m_window.saveProfile(path);
        else if (name.startsWith("r."))
            m_window.saveReport(path);
        else if (name.endsWith("sinoscope"))
            m_window.saveSession(path);
        else
            m_window.saveVolume({.path = path.toStdString(), .overwrite = true, .stored = {}});
    }

    fixtures::Window& m_window;
    const fixtures::TemporaryFolder& m_folder;
    unsigned m_seed;
    Log& m_log;
    std::mt19937 m_random;
    QStringList m_files;
    QTimer m_answers;
    bool m_accepts = false, m_cancelled = false;
    int m_answered = 0;
};

inline const std::array<Acts::Row, 16> Acts::rows = {{{60, &Acts::control},
                                                      {40, &Acts::mouse},
                                                      {16, &Acts::menu},
                                                      {10, &Acts::key},
                                                      {12, &Acts::mark},
                                                      {10, &Acts::slice},
                                                      {10, &Acts::openFile},
                                                      {4, &Acts::drop},
                                                      {8, &Acts::openSimulation},
                                                      {8, &Acts::save},
                                                      {6, &Acts::cone},
                                                      {6, &Acts::cancel},
                                                      {4, &Acts::resize},
                                                      {4, &Acts::wait},
                                                      {2, &Acts::stack},
                                                      {1, &Acts::openSample}}};

} // namespace soak
