/**
 * The environment that a server's process is given: what programs need to run at all, and what the entry names. The
 * host's other variables, API keys among them, are none of a server's business.
 */

const everywhere = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "TMPDIR",
  "TEMP",
  "TMP",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "all_proxy",
  "no_proxy",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR"
]

const onWindows = [
  "ALLUSERSPROFILE",
  "APPDATA",
  "COMMONPROGRAMFILES",
  "COMMONPROGRAMFILES(X86)",
  "COMMONPROGRAMW6432",
  "COMPUTERNAME",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "NUMBER_OF_PROCESSORS",
  "OS",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "PUBLIC",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "USERDOMAIN",
  "USERNAME",
  "USERPROFILE",
  "WINDIR"
]

const prefixes = ["LC_", "XDG_"]

/**
 * The variables of one child: the host's minimal ones, or all with `inheritEnv`, and on top the entry's own.
 * Names on Windows do not differ by case: an entry's `Path` replaces the host's `PATH`.
 */
export const make = (options: {
  readonly platform: NodeJS.Platform
  readonly host: Readonly<Record<string, string | undefined>>
  readonly entry: Readonly<Record<string, string>>
  readonly inheritEnv: boolean
}): Record<string, string> => {
  const { entry, host, inheritEnv, platform } = options
  const windows = platform === "win32"
  const key = (name: string) => (windows ? name.toUpperCase() : name)
  const allowed = new Set((windows ? [...everywhere, ...onWindows] : everywhere).map(key))
  const own = new Set(Object.keys(entry).map(key))

  const isInherited = (name: string) =>
    !own.has(key(name)) &&
    (inheritEnv || allowed.has(key(name)) || prefixes.some((prefix) => key(name).startsWith(prefix)))

  const inherited = Object.entries(host).filter(
    (variable): variable is [string, string] => variable[1] !== undefined && isInherited(variable[0])
  )
  return { ...Object.fromEntries(inherited), ...entry }
}
