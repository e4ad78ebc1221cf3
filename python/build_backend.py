"""Makes a wheel of the Python module, as pip asks for it (PEP 517): builds it with CMake in build/python and packs it. Of
the standard library only, so that `pip install .` fetches nothing."""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

root = pathlib.Path(__file__).resolve().parent.parent


def _version():
    return re.search(r"project\(stickslip VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: stickslip\nVersion: {_version()}\nSummary: Frictional contact between everything solid\n"
        "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def _tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def _build():
    """The folder of the package, with its module."""
    folder = root / "build" / "python"
    options = {"CMAKE_BUILD_TYPE": "Release", "STICKSLIP_PYTHON": "ON", "STICKSLIP_TESTS": "OFF",
               "STICKSLIP_EXAMPLES": "OFF", "Python_EXECUTABLE": sys.executable}
    subprocess.run(["cmake", "-S", root, "-B", folder, "-G", "Ninja", *(f"-D{k}={v}" for k, v in options.items())], check=True)
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
    subprocess.run(["cmake", "--build", folder, "--target", "_stickslip", "-j", jobs], check=True)
    return folder / "python" / "stickslip"


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: stickslip\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it pip builds the module to learn its name."""
    info = f"stickslip-{_version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / info
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata())
    (folder / "WHEEL").write_text(_wheel())
    return info


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _build()
    info = f"stickslip-{_version()}.dist-info"
    files = {f"stickslip/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = _wheel().encode()
    files[f"{info}/LICENSE"] = (root / "LICENSE").read_bytes()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"stickslip-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("stickslip is installed from a checkout: pip install .")
