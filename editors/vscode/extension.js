// Starts `rulebook lsp`, and lets it speak of all YAML files: those of no game it leaves alone.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("rulebook").get("command");
  client = new LanguageClient(
    "rulebook",
    "rulebook",
    { command, args },
    {
      documentSelector: [{ scheme: "file", language: "yaml" }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{yaml,csv}") },
    },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
