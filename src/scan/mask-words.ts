/** Words of programming languages that stand alone. They are too common to be a secret. */
const keywords = new Set(
  (
    'and as async await const def default do echo elif else env export extends false fi final fn for from func function if import in is let ' +
    'module mut namespace new nil none not null or output package param print private provider public pub raise readonly resource return ' +
    'static string then throw true try undefined use using val var variable void while with yield'
  ).split(' '),
)

/** A run of characters that may be a word, or a secret. */
const chunk = /[^\s"'`;,&?=()[\]{}<>|:/.]+/g

/** What makes the word before it a name: a call, an assignment, a key. */
const naming = /^[.\w$]{0,80}(?:\(|\[|\s+(?:=>|[:+!]?={1,3})\s|=(?=[^\s=])|:(?=[\s"'`{[]|$))/

/** What may stand before a name. Behind another sign the word may be a value that goes on. */
const beforeName = /(?:^|[\s"'`;,&?({[.<!])$/

const longestScheme = 12

const ellipsis = '…'

/**
 * The names, keywords, options and signs of a text. Every other word is hidden, because it may be a secret: nothing tells a password from
 * an identifier.
 */
export function maskWords(text: string): string {
  const shown = text.replace(chunk, (each, at: number) => (isShown(each, text, at) ? each : ellipsis))
  return shown.replace(/…(?:[\s+/.]*…)+/g, ellipsis)
}

function isShown(each: string, text: string, at: number): boolean {
  if (!/[\p{L}\p{N}]/u.test(each) || keywords.has(each) || /^%[sdvqx]$/.test(each)) return true
  if (/^(?:--[a-z][a-z-]*|-[a-z])$/i.test(each)) return true
  const after = text.slice(at + each.length, at + each.length + 120)
  if ((after.startsWith('://') && each.length <= longestScheme) || (each.length === 1 && /^["'`]/.test(after)))
    return true
  const before = text.slice(Math.max(0, at - 1), at)
  // A placeholder in an address. What stands alone in brackets may be the password of a connection string.
  const opensVariable = text.slice(Math.max(0, at - 2), at) === '${'
  if (/[{<]/.test(before) && (opensVariable ? after.startsWith('}') : /^[}>][./]/.test(after))) return true
  return /^[A-Za-z_$@][\w$-]{0,31}$/.test(each) && beforeName.test(before) && naming.test(after)
}
