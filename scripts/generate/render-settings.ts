import { settingRows } from '../../src/lib/variables.ts'

/** The settings as a Markdown table. */
export function renderSettings(): string {
  const rows = settingRows.map(({ name, meaning, default: fallback, unset = '', secret }) => {
    const shown = fallback === undefined ? unset : `\`${fallback}\``
    return `| \`${name}\` | ${meaning}${secret ? ' (secret)' : ''} | ${shown} |`
  })
  return ['| Variable | Meaning | Default |', '|---|---|---|', ...rows].join('\n')
}

/** `local.settings.sample.json`: settings of the Functions host, and three settings with their defaults. */
export function renderSampleSettings(): string {
  const shown = new Set(['PLATFORM_CLOUD', 'PLATFORM_LOG_LEVEL', 'SMOKE_TEST_SCHEDULE'])
  const defaults = settingRows.filter(({ name }) => shown.has(name)).map(({ name, default: value }) => [name, value])
  const sample = {
    IsEncrypted: false,
    Values: {
      FUNCTIONS_WORKER_RUNTIME: 'node',
      AzureWebJobsDisableHomepage: 'true',
      ...(Object.fromEntries(defaults) as Record<string, string>),
    },
    Host: { LocalHttpPort: Number(settingRows.find(({ name }) => name === 'PORT')?.default) },
  }
  return `${JSON.stringify(sample, undefined, 2)}\n`
}
