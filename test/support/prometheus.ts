import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { occupyPort } from './free-port.ts'

export interface PrometheusOptions {
  /** `host:port` of each service; all are scraped each second at `/api/metrics`. */
  readonly targets: readonly string[]
  /** Rule files. Default is none. */
  readonly rules?: readonly string[]
}

/** A series of an instant query. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

export interface Prometheus {
  readonly url: string
  /** One instant query. @throws with what Prometheus says of a query that is wrong. */
  query(expression: string): Promise<readonly Series[]>
  close(): Promise<void>
}

/** Starts a real Prometheus on loopback, with a temporary folder. */
export async function startPrometheus({ targets, rules = [] }: PrometheusOptions): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: rules,
    scrape_configs: [{ job_name: 'cloud-profile', metrics_path: '/api/metrics', static_configs: [{ targets }] }],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.json'), JSON.stringify(config))
  const reserved = await occupyPort()
  const { port } = reserved
  reserved.close()
  await once(reserved, 'close')
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const isReady = async () => {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined)
    return response?.ok === true
  }
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`)
    await sleep(100)
  }
  return {
    url,
    async query(expression) {
      const response = await fetch(`${url}/api/v1/query?${String(new URLSearchParams({ query: expression }))}`)
      const answer = (await response.json()) as {
        readonly error?: string
        readonly data: { readonly result: Series[] }
      }
      if (!response.ok) throw new Error(`${expression}: ${answer.error}`)
      return answer.data.result
    },
    async close() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
