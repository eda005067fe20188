import { readFileSync } from 'node:fs'

/** What the kernel counted in this network namespace, on whatever port. */
export interface NetworkCounters {
  /** TCP connections that were begun. */
  readonly connections: number
  /** UDP datagrams that were sent. */
  readonly datagrams: number
}

/** Reads the kernel's own counters: what no recorder in a process can miss. */
export function readNetworkCounters(): NetworkCounters {
  const lines = readFileSync('/proc/self/net/snmp', 'utf8').split('\n')
  const counter = (protocol: string, name: string) => {
    const [names = [], values = []] = lines
      .filter((line) => line.startsWith(`${protocol}: `))
      .map((line) => line.split(' '))
    return Number(values[names.indexOf(name)] ?? Number.NaN)
  }
  return { connections: counter('Tcp', 'ActiveOpens'), datagrams: counter('Udp', 'OutDatagrams') }
}
