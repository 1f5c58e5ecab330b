// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/newest_wins.h"

#include "ui/background/application.h"
#include "ui/background/background_task.h"

#include <exception>
#include <utility>

namespace ui
{

NewestWins::NewestWins(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

void NewestWins::ask(Work work)
{
    if (m_running)
        m_next = std::move(work);
    else
        start(std::move(work));
}

void NewestWins::forget()
{
    m_next.reset();
    m_wanted = false;
}

void NewestWins::start(Work work)
{
    m_pool.start([this, work = std::move(work)] {
        std::function<void()> show;
        std::exception_ptr failure;
        try {
            show = work();
        } catch (...) {
            failure = std::current_exception();
        }
        deliver(this, [this, show = std::move(show), failure] {
            m_running = false;
            if (m_wanted) // even if a newer request follows: figures keep changing during a drag
                guarded([&] { failure ? std::rethrow_exception(failure) : show(); })();
            if (m_next && !m_running)
                start(*std::exchange(m_next, std::nullopt));
        });
    });
    m_running = m_wanted = true;
}

} // namespace ui
