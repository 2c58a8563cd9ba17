/**
 * The version of this package, as it tells servers and people. A test keeps it equal to package.json's.
 */
export const version = "0.1.0"
