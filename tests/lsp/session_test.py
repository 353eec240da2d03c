#!/usr/bin/env python3
"""A session of an editor with upc-language-server, by a client library that others wrote (pygls), which refuses what is
not of the protocol's types.

    session_test.py SERVER BUILD

Ends with 77 where the library is missing; 'make lsp-env' brings it into BUILD.
"""

import asyncio
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient
except ImportError:
    python = Path(sys.argv[2] if len(sys.argv) > 2 else "build").resolve() / "lsp-env/bin/python"
    if python.exists() and Path(sys.prefix).resolve() != python.parent.parent:
        os.execv(python, [str(python), *sys.argv])
    print("pygls is missing; 'make lsp-env' brings it")
    sys.exit(77)

SERVER = sys.argv[1] if len(sys.argv) > 1 else None
TEXT = """#include <upc.h>
shared [3] int a[30 * THREADS];
/* Counts what is not 0. */
int count(int n)
{
    int found = 0;
    upc_forall (int i = 0; i < n; i++; &a[i])
        found += a[i] != 0;
    return found;
}
"""


class Session(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="lsp-session-"))
        self.uri = (self.folder / "a.upc").as_uri()
        self.document = types.TextDocumentIdentifier(uri=self.uri)
        self.client = LanguageClient("session-test", "1")
        self.told = asyncio.Queue()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params):
            self.told.put_nowait(params)

        await self.client.start_io(SERVER)
        result = await self.client.initialize_async(types.InitializeParams(
            process_id=os.getpid(), root_uri=self.folder.as_uri(),
            capabilities=types.ClientCapabilities(general=types.GeneralClientCapabilities(
                position_encodings=[types.PositionEncodingKind.Utf16]))))
        self.capabilities = result.capabilities
        self.name = result.server_info.name
        self.client.initialized(types.InitializedParams())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=self.uri, language_id="upc", version=1, text=TEXT)))

    async def asyncTearDown(self):
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()
        shutil.rmtree(self.folder)

    def place(self, line, column):
        return {"text_document": self.document, "position": types.Position(line=line, character=column)}

    async def test_session(self):
        self.assertEqual(self.name, "upc-language-server")
        self.assertEqual(self.capabilities.position_encoding, types.PositionEncodingKind.Utf16)
        for _ in range(2):
            self.assertEqual(list((await asyncio.wait_for(self.told.get(), 60)).diagnostics), [])

        hover = await self.client.text_document_hover_async(types.HoverParams(**self.place(7, 17)))
        self.assertEqual(hover.contents.kind, types.MarkupKind.Markdown)
        self.assertIn("is on thread (i / 3) % THREADS, phase i % 3", hover.contents.value)
        self.assertEqual(hover.range.start, types.Position(line=7, character=17))

        found = await self.client.text_document_definition_async(types.DefinitionParams(**self.place(7, 17)))
        self.assertEqual((found.uri, found.range.start), (self.uri, types.Position(line=1, character=15)))
        found = await self.client.text_document_declaration_async(types.DeclarationParams(**self.place(7, 17)))
        self.assertEqual(found.uri, self.uri)
        found = await self.client.text_document_references_async(types.ReferenceParams(
            context=types.ReferenceContext(include_declaration=True), **self.place(1, 15)))
        self.assertEqual([one.range.start.line for one in found], [1, 6, 7])
        found = await self.client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**self.place(7, 8)))
        self.assertEqual([one.kind for one in found], [types.DocumentHighlightKind.Text,
                                                       types.DocumentHighlightKind.Write,
                                                       types.DocumentHighlightKind.Read])
        found = await self.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(text_document=self.document))
        self.assertEqual([(one.name, one.kind) for one in found],
                         [("a", types.SymbolKind.Variable), ("count", types.SymbolKind.Function)])
        found = await self.client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(text_document=self.document))
        self.assertEqual(list(found.data[:5]), [1, 0, 6, 0, 0])
        found = await self.client.text_document_inlay_hint_async(types.InlayHintParams(
            text_document=self.document, range=types.Range(start=types.Position(line=0, character=0),
                                                           end=types.Position(line=9, character=0))))
        self.assertEqual([one.position.line for one in found], [6])

        self.client.text_document_did_change(types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=self.uri, version=2),
            content_changes=[types.TextDocumentContentChangePartial(
                range=types.Range(start=types.Position(line=8, character=11), end=types.Position(line=8, character=16)),
                text="count(upc_thr")]))
        found = await self.client.text_document_completion_async(types.CompletionParams(**self.place(8, 24)))
        self.assertEqual([item.label for item in found.items], ["upc_threadof", "upc_thread_info"])
        found = await self.client.text_document_signature_help_async(types.SignatureHelpParams(**self.place(8, 17)))
        self.assertEqual((found.signatures[0].label, found.signatures[0].documentation.value),
                         ("int count(int n)", "Counts what is not 0."))
        told = await asyncio.wait_for(self.told.get(), 60)
        self.assertEqual((told.version, told.diagnostics[0].code, told.diagnostics[0].range.start.line),
                         (2, "Expected", 8))


if __name__ == "__main__":
    if SERVER is None:
        sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
