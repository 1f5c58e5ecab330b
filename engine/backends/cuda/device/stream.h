// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of CUDA streams and events.
#pragma once

#include "engine/backends/cuda/device/check.h"

namespace engine
{

class Stream
{
  public:
    Stream() { SINOSCOPE_CUDA(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(m_stream); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    cudaStream_t get() const { return m_stream; }
    void synchronize() const { SINOSCOPE_CUDA(cudaStreamSynchronize(m_stream)); }

  private:
    cudaStream_t m_stream = nullptr;
};

class Event
{
  public:
    Event() { SINOSCOPE_CUDA(cudaEventCreate(&m_event)); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t get() const { return m_event; }
    void record(cudaStream_t stream) const { SINOSCOPE_CUDA(cudaEventRecord(m_event, stream)); }
    void synchronize() const { SINOSCOPE_CUDA(cudaEventSynchronize(m_event)); }
    // Returns the seconds from `earlier` to this event. Both events must have happened.
    double secondsSince(const Event& earlier) const
    {
        float milliseconds = 0;
        SINOSCOPE_CUDA(cudaEventElapsedTime(&milliseconds, earlier.m_event, m_event));
        return milliseconds / 1e3;
    }

  private:
    cudaEvent_t m_event = nullptr;
};

} // namespace engine
