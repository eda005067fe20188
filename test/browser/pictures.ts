/** The states of the demo's page that `docs/images/page-*.png` show, with the options of each. */
export const pictures = { ok: [], failed: ['--fault', 'untrusted-ca'] } as const

/** The words that no host, port or time changes: headings, labels, and the sentences of the verdict. A line each, from the top of the page. */
export function wordsOf(html: string): string {
  const shown = html.matchAll(/<(h[1-3]|dt|th|b)\b[^>]*>[^]*?<\/\1>|<p class="(?:lead|message)">[^]*?<\/p>/g)
  const lines = Array.from(shown, ([element]) =>
    element
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return `${lines.slice(0, 24).join('\n').replaceAll(/\d+/g, '#')}\n`
}
