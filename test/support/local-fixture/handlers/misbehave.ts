/** Every way for a function to go wrong. */
export const handler = async ({ queryStringParameters }: { queryStringParameters: { how?: string } | null }) => {
  switch (queryStringParameters?.how) {
    case 'throw':
      throw new TypeError('thrown on purpose');
    case 'exit':
      process.exit(3);
      break;
    case 'uncaught':
      setTimeout(() => {
        throw new Error('uncaught on purpose');
      }, 1);
      return new Promise(() => undefined);
    case 'hang':
      return new Promise(() => undefined);
    case 'malformed':
      return { status: 200 };
    default:
      return { statusCode: 200, body: 'well behaved' };
  }
};
