/** `Bearer allow-<name>` is allowed with an API key of its name, the rest shows every way to fail. */
export const handler = async ({ authorizationToken, methodArn }: { authorizationToken: string; methodArn: string }) => {
  const name = authorizationToken.slice('Bearer '.length);
  if (name === 'unknown') throw new Error('Unauthorized');
  if (name === 'broken') throw new Error('the authorizer is broken');
  if (name === 'nonsense') return { hello: 'world' };
  console.log(JSON.stringify({ message: 'authorized', name }));
  const effect = name === 'deny' ? 'Deny' : 'Allow';
  const resource = name === 'read-only' ? methodArn.replace(/\/(GET|POST)\/.*/, '/GET/*') : '*';
  return {
    principalId: name,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: effect, Action: 'execute-api:Invoke', Resource: resource }],
    },
    context: { account: name, level: 7, trusted: true },
    usageIdentifierKey: `key-of-${name}-with-twenty-characters`,
  };
};
