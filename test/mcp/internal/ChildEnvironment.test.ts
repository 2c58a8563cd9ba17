import { expect, it } from "@effect/vitest"
import { describe } from "vitest"
import * as ChildEnvironment from "../../../src/mcp/internal/stdio/ChildEnvironment.ts"

describe("the environment of a server", () => {
  it("has what programs need, and no key or token of the host", () => {
    const needed = {
      PATH: "/bin",
      HOME: "/home/a",
      USER: "a",
      LOGNAME: "a",
      SHELL: "/bin/sh",
      LANG: "C.UTF-8",
      LC_ALL: "C.UTF-8",
      TERM: "xterm",
      TMPDIR: "/tmp",
      TZ: "UTC",
      https_proxy: "http://proxy:3128",
      NO_PROXY: "localhost",
      XDG_CONFIG_HOME: "/home/a/.config",
      NODE_EXTRA_CA_CERTS: "/ca.pem"
    }
    const secrets = {
      ANTHROPIC_API_KEY: "k",
      GITHUB_TOKEN: "t",
      DIFY_KEY: "k",
      NODE_OPTIONS: "--inspect",
      GONE: undefined
    }
    expect(
      ChildEnvironment.make({ platform: "linux", host: { ...needed, ...secrets }, entry: {}, inheritEnv: false })
    ).toEqual(needed)
  })

  it("is merged with the entry's own variables, which win", () => {
    expect(
      ChildEnvironment.make({
        platform: "linux",
        host: { PATH: "/bin", HOME: "/home/a" },
        entry: { PATH: "/opt/bin", X: "1" },
        inheritEnv: false
      })
    ).toEqual({ PATH: "/opt/bin", HOME: "/home/a", X: "1" })
  })

  it("is the host's whole one on demand, the entry's variables still on top", () => {
    expect(
      ChildEnvironment.make({
        platform: "linux",
        host: { ANY_KEY: "k", PATH: "/bin", GONE: undefined },
        entry: { PATH: "/opt/bin" },
        inheritEnv: true
      })
    ).toEqual({ ANY_KEY: "k", PATH: "/opt/bin" })
  })

  it("on Windows has what cmd.exe and Node need there, and one variable for names that differ by case", () => {
    const host = {
      Path: "C:\\Windows",
      PATHEXT: ".COM;.EXE;.CMD",
      ComSpec: "C:\\Windows\\System32\\cmd.exe",
      SystemRoot: "C:\\Windows",
      ProgramData: "C:\\ProgramData",
      "ProgramFiles(x86)": "C:\\Program Files (x86)",
      APPDATA: "C:\\Users\\a\\AppData\\Roaming",
      OPENAI_API_KEY: "k"
    }
    const { OPENAI_API_KEY: _, Path: __, ...rest } = host
    expect(ChildEnvironment.make({ platform: "win32", host, entry: { PATH: "D:\\bin" }, inheritEnv: false })).toEqual({
      ...rest,
      PATH: "D:\\bin"
    })
  })

  it("elsewhere keeps names apart that differ by case", () => {
    expect(
      ChildEnvironment.make({ platform: "linux", host: { PATH: "/bin", Path: "x" }, entry: {}, inheritEnv: false })
    ).toEqual({ PATH: "/bin" })
  })
})
