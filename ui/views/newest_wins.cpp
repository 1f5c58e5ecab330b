#include "ui/views/newest_wins.h"

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
    m_running = m_wanted = true;
    m_pool.start([this, work = std::move(work)] {
        QMetaObject::invokeMethod(this, [this, show = work()] {
            m_running = false;
            if (m_wanted) // also where something newer follows: figures move along while something is dragged
                show();
            if (m_next && !m_running)
                start(*std::exchange(m_next, std::nullopt));
        });
    });
}

} // namespace ui
