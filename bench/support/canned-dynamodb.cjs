// Responds as DynamoDB would, at once and always the same, in a separate process: its CPU time is not measured.
const { createServer } = require('node:http');

const SLOW_MS = 50;
const recorded = [];
let isRecording = false;
let items = {};

/** The entity's item as it was before, found by the end of its key. */
const oldItem = (body) => ({ Attributes: items[JSON.parse(body).Key.pk.S.split('#').slice(2).join('#')] });

const answerTo = (target, body) => {
  if (target.endsWith('UpdateItem')) return oldItem(body);
  return target.endsWith('GetSecretValue') ? { SecretString: '{"material":"bench"}' } : {};
};

const server = createServer((request, response) => {
  // The registry has no document: the base model is the champion.
  if (request.method === 'GET') {
    response.writeHead(404).end();
    return;
  }
  const startedAt = performance.now();
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const target = request.headers['x-amz-target'] ?? '';
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    const answer = () => {
      if (isRecording) recorded.push({ target, headers: request.headers, body, startedAt, endedAt: performance.now() });
      response.end(JSON.stringify(answerTo(target, body)));
    };
    if (isRecording) setTimeout(answer, SLOW_MS);
    else answer();
  });
});

process.on('message', (message) => {
  if (message === 'record') {
    isRecording = true;
    process.send('recording');
  }
  if (message === 'tell') {
    isRecording = false;
    process.send(recorded);
  }
  if (message.items) items = message.items;
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
