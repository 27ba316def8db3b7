/** Hands its event back: the test fires the rule and reads the outcome. */
export const handler = async (event: object) => event;
