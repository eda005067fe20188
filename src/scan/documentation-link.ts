import { endOfText } from '../lib/base/end-of-text.ts'

const documentationHosts =
  /^(?:(?:learn|docs|support|developer|techcommunity|devblogs|blogs?)\.microsoft\.com|(?:docs|azure|feedback)\.azure\.(?:com|cn|us)|azure\.microsoft\.com|(?:www\.)?github\.com|gist\.github\.com|raw\.githubusercontent\.com|[\w-]+\.github\.io|aka\.ms|go\.microsoft\.com|msdn\.microsoft\.com|stackoverflow\.com|pkg\.go\.dev|godoc\.org|docs\.rs|registry\.terraform\.io|pypi\.org|(?:www\.)?npmjs\.com|en\.wikipedia\.org)$/i

/** Whether a value is a part of the path of a link to documentation: the link leads to the same page in every cloud. */
export function isDocumentationLink(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 500), at)
  const token = endOfText(before, /[^\s"'`<>()]/)
  const begin = /https?:\/\//i.exec(token)
  if (begin === null) return false
  const host = /^([^/?#:]+)[/?#]/.exec(token.slice(begin.index + begin[0].length))?.[1]
  return host !== undefined && documentationHosts.test(host)
}
