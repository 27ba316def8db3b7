/** Answers with the event it was given, so that a test can read it. */
export const handler = async (event: object) => ({
  statusCode: 200,
  headers: { 'X-Fixture': 'echo' },
  multiValueHeaders: { 'X-Many': ['one', 'two'] },
  body: JSON.stringify({ event, environment: process.env }),
});
