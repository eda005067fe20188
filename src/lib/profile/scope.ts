/**
 * The scope of a token request: the audience followed by `.default`, verbatim. Audiences end with `/` by rule, and
 * some services tell `…//.default` from `…/.default`, so nothing is trimmed or added.
 */
export function scopeFor(audience: string): string {
  return `${audience}.default`
}
