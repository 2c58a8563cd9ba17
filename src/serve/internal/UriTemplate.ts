/** Whether a URI may be one of a template's (RFC 6570): what stands between its variables is there, in order. */
export const fits = (template: string, uri: string): boolean => {
  const parts = template.split(/\{[^}]*\}/)
  const [first = ""] = parts
  const last = parts.at(-1) ?? ""
  if (parts.length === 1) return template === uri
  if (!uri.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = uri.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return uri.length - last.length >= at && uri.endsWith(last)
}
