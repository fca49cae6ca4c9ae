export function sameRules(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((rule, index) => rule === other[index]))
}
