/** The names of the elements of an XML text, in order of their start. @throws if a tag is not closed in order, or a text not escaped. */
export function elementsOf(xml: string): string[] {
  const names: string[] = []
  const open: string[] = []
  const markup = /<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(\/?)([\w.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|[^<>]+/gy
  let end = 0
  for (const match of xml.matchAll(markup)) {
    const [whole, closes, name, , empty] = match
    end = match.index + whole.length
    const text = name === undefined || name === '' ? whole : whole.slice(name.length)
    if (!whole.startsWith('<![CDATA[') && /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(text)) {
      throw new Error(`Not escaped: ${whole.slice(0, 80)}`)
    }
    if (name === undefined) continue
    if (closes === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`)
      continue
    }
    names.push(name)
    if (empty === '') open.push(name)
  }
  if (end !== xml.length || open.length > 0 || names.length === 0) throw new Error(`Not well formed at ${end}`)
  return names
}
