/** What harness9 itself tells the model, so that it is not taken for the person's words. */

export const prefix = "[harness9] "

export const make = (text: string): string => `${prefix}${text}`
