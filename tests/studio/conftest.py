"""One studio for all the tests: its workers are warm after the first."""

import importlib.util
from pathlib import Path

import pytest

from browser import window
from studio_pages import watched


def client_class():
    spec = importlib.util.spec_from_file_location("studio_client", Path(__file__).with_name("client.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Client


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    from biela.studio.server import open_studio

    server = open_studio(tmp_path_factory.mktemp("models"), port=0)
    yield server
    server.close()


@pytest.fixture
def client(studio):
    return client_class()(studio)


@pytest.fixture
def folder(studio):
    return studio.folder.root


@pytest.fixture
def context(browser):
    made = window(browser, viewport={"width": 1400, "height": 860}, accept_downloads=True)
    yield made
    made.close()


@pytest.fixture
def page(context, studio):
    """A page whose console must stay free of errors, and which asks nobody but its own server."""
    return watched(context.new_page(), studio)
