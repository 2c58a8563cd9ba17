/**
 * A name as a word of a command line that is there to be pasted into a shell: whatever the name is, it stays one word.
 */
export const quote = (name: string): string =>
  /^\w[\w.@/-]*$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
