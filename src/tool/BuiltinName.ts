/**
 * What the tools that harness9 brings along are called. Apart from the tools, so that a name costs none of them.
 *
 * @since 0.1.0
 */

/**
 * The names, in the order in which a model sees them. The last two are offered only where servers have skills, or more tools than a
 * model is shown at once.
 *
 * @since 0.1.0
 * @category constants
 */
export const all = [
  "bash",
  "read_file",
  "write_file",
  "edit_file",
  "glob",
  "grep",
  "read_skill",
  "search_tools"
] as const
