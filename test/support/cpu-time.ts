/** Milliseconds of processor time since the call, which a busy machine does not stretch as it does wall time. */
export function startCpuTime(): () => number {
  const started = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
}
